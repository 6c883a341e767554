/** Greets somebody by name. */
export function greeting(name) {
  return `Hello, ${name}!`;
}
