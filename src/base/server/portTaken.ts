/** A text for the user where the error is that of `listen` on a port that another program has. */
export function portTaken(error: unknown): string | undefined {
  const { code, port } = (error ?? {}) as NodeJS.ErrnoException & { port?: number };
  if (code !== 'EADDRINUSE') return undefined;
  return `Port ${port} is in use by another program. Name another one with --port, or --port 0 for any free one.`;
}
