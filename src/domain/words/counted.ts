/** Returns `1 check`, `1,204 checks`, for nouns that take an s. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
