/**
 * Goes through long lists with turns of the event loop between: there may be nine thousand projects, of which each page asks.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Calls `visit` with the items, so many of them in each turn. */
export async function eachInTurns<Item>(
  items: readonly Item[],
  perTurn: number,
  visit: (item: Item) => void,
): Promise<void> {
  for (let from = 0; from < items.length; from += perTurn) {
    if (from > 0) await nextTurn();
    for (const item of items.slice(from, from + perTurn)) visit(item);
  }
}

/** Returns the JSON of a list, of which so many items are rendered in each turn. */
export async function jsonListInTurns(items: readonly unknown[], perTurn: number): Promise<string> {
  const parts: string[] = [];
  for (let from = 0; from < items.length; from += perTurn) {
    if (from > 0) await nextTurn();
    parts.push(JSON.stringify(items.slice(from, from + perTurn)).slice(1, -1));
  }
  return `[${parts.join(',')}]`;
}
