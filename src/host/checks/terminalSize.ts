import * as z from 'zod/mini';

/** Columns or rows: what a pty can be set to. */
export const terminalSize = z.int().check(z.gte(1), z.lte(1000));
