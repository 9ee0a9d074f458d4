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

/**
 * Where what had the focus is removed and the page has not moved it, gives it to the nearest button or link of what is left around it.
 * To be called once.
 */
export function keepFocus(): void {
  let path: readonly Element[] = [];
  addEventListener('focusin', ({ target }) => {
    path = target instanceof Element ? [...around(target)] : [];
  });
  const isLost = (): boolean => path[0]?.isConnected === false && document.activeElement === document.body;
  const find = (): void => {
    if (!isLost() || path.some((one) => one.matches(scrolling))) return;
    const places = path.filter((one) => one.isConnected && one.parentElement?.closest('#main'));
    path = [];
    let near: HTMLElement | null = null;
    for (const place of places) near ??= place.querySelector<HTMLElement>('a[href], button:not(:disabled)');
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
