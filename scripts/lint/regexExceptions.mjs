/** By file, the regular expressions that take more than linear time, as they stand in the source, and why they may. */
export const regexExceptions = {
  'src/host/agents/copilot/permissions/runsLater.ts': [
    // TEMPORARY: permissions/ is being rewritten. To be removed with it: `withoutEnd(name, '. ')` of base/text/ends.ts does the same.
    { code: '/[. ]+$/', reason: 'is being replaced' },
  ],
};
