// A provider of OpenCtx 0.1. It links each `TODO(42)` of a file to the issue with that number. Setting `issues`: the address before the number.
// How to use it: “The first provider” in docs/openctx.md of this repository.
export default {
  capabilities: () => ({ selector: [{ contentContains: 'TODO(' }] }),

  items({ content }, { issues = 'https://example.com/issues/' }) {
    return content.split(/\r\n|\r|\n/).flatMap((text, line) =>
      [...text.matchAll(/TODO\((\d+)\):?\s*(.*)/g)].map(({ 0: all, 1: number, 2: what, index }) => ({
        title: `Issue ${number}`,
        url: `${issues}${number}`,
        ui: { hover: { markdown: `To do: ${what || 'see the issue'}` } },
        ai: { content: `Line ${line + 1} waits for issue ${number} (${issues}${number}).` },
        range: { start: { line, character: index }, end: { line, character: index + all.length } },
      })),
    );
  },
};
