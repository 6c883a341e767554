/** Comes before every schema: zod would try `eval` for speed, and a page with a strict policy would have that reported. */
import { config } from 'zod/mini';

config({ jitless: true });
