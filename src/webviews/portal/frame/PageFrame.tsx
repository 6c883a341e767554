/** A page of VS Code's views. All of its frame is in view, so that what the page takes for seen was seen. */
export function PageFrame({ title, src }: { title: string; src: string }) {
  return <iframe class="page-frame" title={title} src={src} allow="clipboard-write" />;
}
