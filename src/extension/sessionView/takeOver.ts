/** The script of a document with a picture of what its page draws at first. The page's own comes after that is painted, and takes it over. */

/** What is there at the latest is drawn without its picture being painted. */
const PAINT_MS = 500;

/**
 * `font`: the rule with the font of icons, which waits too, because VS Code shows a webview when all that it has asked for is there. `failure`: what is
 * said where the page's script cannot be had. What the page is told meanwhile is kept for it.
 */
export function takeOverScript(file: string, font: string, failure: string): string {
  return `
const kept = (globalThis.taplineKept = { events: [], keep: (event) => Array.isArray(event.data) && kept.events.push(event), isTaken: false });
addEventListener('message', kept.keep);
for (const box of document.querySelectorAll('.transcript')) box.scrollTop = box.scrollHeight;
let isRun = false;
const run = () => {
  if (isRun) return;
  isRun = true;
  // A document that is loaded once more is told nothing yet, and its picture is an old one.
  if (kept.events.length === 0) document.querySelector('main')?.remove();
  document.getElementById('icon-font').textContent = ${quoted(font)};
  const load = (address) => import(address).catch((error) => { if (!kept.isTaken) throw error; console.error(error); });
  // A browser keeps a failure by the address.
  load(${quoted(`./${file}`)}).catch(() => load(${quoted(`./${file}?again`)})).catch((error) => {
    console.error(error);
    removeEventListener('message', kept.keep);
    kept.events.length = 0;
    document.body.textContent = ${quoted(failure)};
  });
};
// A page that is not shown has no frames.
setTimeout(run, ${PAINT_MS});
addEventListener('load', () => requestAnimationFrame(() => setTimeout(run)));`;
}

/** Nothing in it can end the element that the script stands in. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('<', '\\u003c');
}
