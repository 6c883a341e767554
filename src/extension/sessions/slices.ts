/** How long a slice may take. What is drawn and typed waits for its end. */
const SLICE_MS = 10;

/** For long loops: awaiting the result lets everything else happen, once a slice has been used up. */
export function slices(now: () => number = () => performance.now()): () => Promise<void> | undefined {
  let began = now();
  return () => {
    if (now() - began < SLICE_MS) return undefined;
    return new Promise((resolve) =>
      setTimeout(() => {
        began = now();
        resolve();
      }),
    );
  };
}
