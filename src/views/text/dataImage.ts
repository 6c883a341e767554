/** Images that stand in their own address, of types that cannot contain scripts. */
export function isDataImage(url: string): boolean {
  return /^data:image\/(png|jpeg|gif|webp);base64,[a-z0-9+/=\s]*$/i.test(url);
}
