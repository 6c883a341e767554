/** Compiled by `tsconfig.node.json`: code that runs in Node cannot use what only a browser has. */
// @ts-expect-error Only browsers have it.
export type BrowserDocument = typeof document;
// @ts-expect-error Only browsers have it.
export type BrowserWindow = typeof window;
// @ts-expect-error Only browsers have it.
export type BrowserElement = HTMLElement;
