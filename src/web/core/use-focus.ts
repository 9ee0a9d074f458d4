/** This file moves the focus when what had it is gone from the page: by keyboard one would otherwise begin at the top again. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Gives the focus to what is shown once `shown` is another and nothing has the focus. It does not do so at first, when one
 * begins at the top. `shown` is empty while nothing is shown yet.
 */
export function useFocus(shown: string): void {
  const before = useRef(shown);
  useEffect(() => {
    const was = before.current;
    before.current = shown;
    if (was !== '' && was !== shown) focusWhatIsShown();
  }, [shown]);
}

/** Rows of these come and go while one scrolls, and have their own keys. */
const scrolling = '.checks, .matrix';

/** What a press changes at once, or begins to delete: no place for a key that is still held, or pressed once more. */
const harmful = '.danger, [data-at-once]';
const rows = 'li, tr';

/** The first button, link or choice in it that can be seen; in the place of a row that is gone, one that does no harm. */
function firstIn(place: Element, isRow: boolean): HTMLElement | undefined {
  const wanted = isRow ? 'a[href], button:not(:disabled), select' : 'a[href], button:not(:disabled)';
  return [...place.querySelectorAll<HTMLElement>(wanted)].find(
    (one) => !(isRow && one.matches(harmful)) && one.getClientRects().length > 0,
  );
}

/**
 * Where what had the focus is removed and the page has not moved it, gives it to the nearest button or link of what is left around it:
 * where a whole row is gone, to one of the next row, which presses nothing that a person would regret. To be called once.
 */
export function keepFocus(): void {
  let path: readonly Element[] = [];
  /** The rows after and before the one that has the focus: once it is gone, nothing says where it was. */
  let beside: readonly Element[] = [];
  addEventListener('focusin', ({ target }) => {
    path = target instanceof Element ? [...around(target)] : [];
    const row = path.find((one) => one.matches(rows));
    beside = [row?.nextElementSibling, row?.previousElementSibling].flatMap((one) => one ?? []);
  });
  const isLost = (): boolean => path[0]?.isConnected === false && document.activeElement === document.body;
  const find = (): void => {
    if (!isLost() || path.some((one) => one.matches(scrolling))) return;
    const isRow = path.find((one) => one.matches(rows))?.isConnected === false;
    const places = [...(isRow ? beside : []), ...path].filter(
      (one) => one.isConnected && one.parentElement?.closest('#main'),
    );
    path = [];
    let near: HTMLElement | undefined;
    for (const place of places) near ??= firstIn(place, isRow);
    (near ?? document.getElementById('main'))?.focus({ preventScroll: true });
  };
  new MutationObserver(() => {
    // Not at once: what is rendered with this may move the focus to where it belongs.
    if (isLost()) setTimeout(find);
  }).observe(document.body, { childList: true, subtree: true });
}

/** The element and all that it is in. */
function* around(element: Element): Generator<Element> {
  for (let one: Element | null = element; one; one = one.parentElement) yield one;
}

/** Gives the focus to what is shown, if nothing has it. */
export function focusWhatIsShown(): void {
  if (document.activeElement === document.body)
    document.getElementById('main')?.focus({ preventScroll: true });
}

/**
 * Gives the focus to the button that opens a form once that form is gone, and with it the button that closed it. It moves with
 * the very change that removes the form, so that no key press in between gets lost.
 */
export function useFocusAfterForm(button: { readonly current: HTMLElement | null }, isOpen: boolean): void {
  const wasOpen = useRef(isOpen);
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus();
    wasOpen.current = isOpen;
  }, [button, isOpen]);
}

/** What is typed into a field that begins with a value replaces it, as where one goes there by Tab; into a text it goes behind it. */
export function selectAll(field: Element | null): void {
  if (field instanceof HTMLInputElement) field.select();
  if (field instanceof HTMLTextAreaElement) field.setSelectionRange(field.value.length, field.value.length);
}

/** Pixels of the page's header and of the title above a form. */
const titlePx = 200;

/**
 * Gives the focus to the first field of a form that a press has opened: what is typed then belongs there, and a letter would be
 * a shortcut of the page otherwise. Its buttons come into sight with it where its title stays in sight, too.
 */
export function useFirstField(form: { readonly current: HTMLElement | null }, isWanted = true): void {
  useLayoutEffect(() => {
    const box = form.current;
    if (!isWanted || !box) return;
    const whole = box.closest('form') ?? box;
    const { top, bottom } = whole.getBoundingClientRect();
    if (top - (bottom - innerHeight) > titlePx) whole.scrollIntoView({ block: 'nearest' });
    const first = box.querySelector<HTMLElement>('input, select, textarea');
    first?.focus();
    selectAll(first);
  }, [form, isWanted]);
}
