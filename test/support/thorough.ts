/** How often something random is tried: seldom enough for each run of CI, or as often as is worth it now and then, by `TAPLINE_THOROUGH=1 npm test`. */
export const thorough = (usual: number, often: number): number => (process.env['TAPLINE_THOROUGH'] ? often : usual);
