import fc from 'fast-check';

const isQuick = Boolean(process.env['TAPLINE_QUICK']);
const QUICK_RUNS = 20;

/** How often a property is tried: often enough for CI, or at most twenty times with `TAPLINE_QUICK=1`, as `npm run test:quick` has it. */
export const runs = (usual: number): number => (isQuick ? Math.min(usual, QUICK_RUNS) : usual);

/** For properties that say no number. Mocha requires this file for `npm run test:quick`. */
if (isQuick) fc.configureGlobal({ numRuns: QUICK_RUNS });
