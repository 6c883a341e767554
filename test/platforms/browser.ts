/** Compiled by `tsconfig.browser.json`: code that runs in a browser cannot use what only Node has. */
// @ts-expect-error Only Node has it.
export type NodeBuffer = typeof Buffer;
// @ts-expect-error Only Node has it.
export type NodeProcess = typeof process;
// @ts-expect-error Only Node has it.
export type NodeModule = typeof import('node:fs');
