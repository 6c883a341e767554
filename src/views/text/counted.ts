/** "1 tool", "3,120 characters". Only for words whose plural ends with an s. */
export function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}
