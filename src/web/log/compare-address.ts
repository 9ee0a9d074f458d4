/**
 * Which outputs are compared, as the page's address has it: `?compare=41-42`, the numbers of their pings. `good-42` is the last good run
 * before ping 42, until the page knows which that is.
 */
import { pushSearch, replaceSearch } from '../core/route.ts';

export interface Compared {
  readonly left: number | 'good';
  readonly right: number;
}

export function comparedOf(search: string): Compared | null {
  const asked = new URLSearchParams(search).get('compare') ?? '';
  const [, left, right] = /^(good|\d{1,15})-(\d{1,15})$/.exec(asked) ?? [];
  if (left === undefined || right === undefined) return null;
  return { left: left === 'good' ? left : Number(left), right: Number(right) };
}

/** Whether this page has opened it, from where the way back is to the page without it. */
let isOpenedHere = false;

/** Whether the way back is asked for and not gone yet: another address would stop it. */
let isClosing = false;

/** Opens it, or chooses others. Null ends it, as the way back does. */
export function compare(compared: Compared | null): void {
  const query = new URLSearchParams(location.search);
  const isOpen = query.has('compare');
  if (compared === null) {
    query.delete('compare');
    if (isOpenedHere) goBack();
    else replaceSearch(query.toString());
    isOpenedHere = false;
    return;
  }
  if (isClosing) return;
  query.set('compare', `${compared.left}-${compared.right}`);
  if (isOpen) replaceSearch(query.toString());
  else {
    isOpenedHere = true;
    pushSearch(query.toString());
  }
}

function goBack(): void {
  isClosing = true;
  addEventListener('popstate', () => (isClosing = false), { once: true });
  history.back();
}
