/** By file, the regular expressions that take more than linear time, as they stand in the source, and why they may. */
export const regexExceptions = {};
