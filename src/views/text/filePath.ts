/** Tells paths of files from other code in a sentence. Whether there is such a file is known when it is opened. */

/** Longer ones are none, and are not looked at. */
const MAX_PATH = 300;
/** Endings of names that stand alone, since `Math.random` and `a.length` look the same. */
const ENDINGS = new Set(
  (
    'astro bash bat c cc cfg cjs clj cmd conf cpp cs css csv dart env ex exs fish gif go gql gradle graphql h hpp hs htm html ini ipynb java jpeg jpg js ' +
    'json jsonc jsonl jsx kt kts less lock log lua m md mdx mjs mm mts patch php pl png proto ps1 py pyi r rb rs rst sass scala scss sh sql svelte svg ' +
    'swift tex tf toml ts tsv tsx txt vue wasm webp xml yaml yml zig zsh'
  ).split(' '),
);
const PLACE = /(?::\d{1,7}(?::\d{1,7})?|#L\d{1,7}(?:-L?\d{1,7})?)$/;

/** A path with slashes and an ending, or a name with a well-known ending, with `:line`, `:line:column` or `#L10-L20` after it. */
export function isFilePath(code: string): boolean {
  if (code.length > MAX_PATH) return false;
  const path = code.replace(PLACE, '');
  if (!/^[\w./@+~-]+$/.test(path) || /^\/\/|^[~-]/.test(path)) return false;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const ending = name.slice(name.lastIndexOf('.') + 1);
  if (ending === name) return false;
  return path === name ? ENDINGS.has(ending.toLowerCase()) : /^[A-Za-z]\w{0,9}$/.test(ending);
}
