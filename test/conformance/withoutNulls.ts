/** In the shared cases and traces `null` stands for absent. */
export function withoutNulls(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, field: unknown) => (field === null ? undefined : field)));
}
