/** A button that opens a list of actions or choices. Escape, a choice, or a click outside closes it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface MenuProps {
  /** The words or the picture of the button. */
  readonly label: ComponentChildren;
  /** Its name, where it shows a picture only. */
  readonly name?: string;
  readonly class?: string;
  /** Whether it opens to the left, at the right edge of the page. */
  readonly isRight?: boolean;
  /** The reason why it cannot be opened now; empty where it can. */
  readonly offBecause?: string;
  /** The buttons and links of the list. */
  readonly children: ComponentChildren;
}

export function Menu({
  label,
  name,
  class: className = '',
  isRight = false,
  offBecause = '',
  children,
}: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const [find] = useState(() => new TypeAhead());
  const close = (): void => setOpen(false);
  useEffect(() => {
    if (!isOpen) return;
    const outside = ({ target }: MouseEvent): void => {
      if (target instanceof Node && !box.current?.contains(target)) close();
    };
    addEventListener('mousedown', outside);
    return () => removeEventListener('mousedown', outside);
  }, [isOpen]);
  // Before the next key: an effect would come a frame later.
  useLayoutEffect(() => {
    if (!isOpen) return;
    keepInSight(box.current?.querySelector<HTMLElement>('.menu'));
    const all = items(box.current);
    (all.find((item) => item.ariaDisabled !== 'true') ?? all[0])?.focus();
  }, [isOpen]);
  /**
   * The focus goes to the button before an item does anything, so that a dialog that it opens gives it back there. It does not for a
   * link: the page that it opens gets the focus.
   */
  const toButton = ({ target }: MouseEvent): void => {
    if (target instanceof Element && !target.closest('a')) box.current?.querySelector('button')?.focus();
  };
  const pressed = (event: KeyboardEvent): void => {
    if (!isOpen) return;
    const all = items(box.current);
    const at = all.indexOf(document.activeElement as HTMLElement);
    if (event.key === 'Escape') {
      close();
      box.current?.querySelector('button')?.focus();
    } else if (event.key === 'ArrowDown') all[(at + 1) % all.length]?.focus();
    else if (event.key === 'ArrowUp') all.at(at - 1)?.focus();
    else if (event.key === 'Home') all[0]?.focus();
    else if (event.key === 'End') all.at(-1)?.focus();
    else if (isLetter(event)) find.next(event.key, all)?.focus();
    else {
      if (event.key === 'Tab') close();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the menu within it.
    <div class="with-menu" ref={box} onKeyDown={pressed}>
      <button
        type="button"
        class={className}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        {...(name === undefined ? {} : { 'aria-label': name, title: name })}
        {...offIf(offBecause)}
        onClick={() => setOpen(!isOpen && offBecause === '')}
      >
        {label}
      </button>
      {isOpen && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: a key on an item clicks it.
        <div
          class={isRight ? 'menu right' : 'menu'}
          role="menu"
          tabIndex={-1}
          onClickCapture={toButton}
          onClick={close}
        >
          {children}
        </div>
      )}
    </div>
  );
}

/** Milliseconds after which a letter begins another word. */
const wordMs = 700;

/** The item that begins with the letters that were typed one after the other; one letter goes on to the next item with it. */
class TypeAhead {
  #typed = '';
  #atMs = 0;

  next(letter: string, all: readonly HTMLElement[]): HTMLElement | undefined {
    const nowMs = performance.now();
    this.#typed = (nowMs - this.#atMs < wordMs ? this.#typed : '') + letter.toLowerCase();
    this.#atMs = nowMs;
    const at = all.indexOf(document.activeElement as HTMLElement);
    const isNext = this.#typed.length === 1;
    const inTurn = [...all.slice(at + Number(isNext)), ...all.slice(0, at + Number(isNext))];
    return inTurn.find((item) => item.textContent.trim().toLowerCase().startsWith(this.#typed));
  }
}

function isLetter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey;
}

/** Pixels between a menu and the edge of the window. */
const edge = 8;
/** And what is seen of it at least. */
const leastPx = 120;

/** The pages on a phone are at its lower edge. */
function windowEndPx(): number {
  const pages = document.querySelector('.top nav')?.getBoundingClientRect();
  return pages && pages.bottom >= innerHeight && pages.height < innerHeight / 2 ? pages.top : innerHeight;
}

/**
 * Moves a menu that would reach beyond the left or the right edge of the window, and opens it upwards where it has more space there; it
 * scrolls where it has too little in both. Measured out of the flow: where it would reach beyond the window for one layout only, the page
 * of a phone stays as wide as that.
 */
function keepInSight(menu: HTMLElement | null | undefined): void {
  const button = menu?.parentElement?.getBoundingClientRect();
  if (!menu || !button) return;
  menu.style.position = 'fixed';
  const { width } = menu.getBoundingClientRect();
  const wanted = menu.classList.contains('right') ? button.right - width : button.left;
  const last = document.documentElement.clientWidth - width - edge;
  menu.style.left = `${Math.max(edge, Math.min(wanted, last)) - button.left}px`;
  menu.style.right = 'auto';
  menu.style.position = '';
  const { top, bottom } = menu.getBoundingClientRect();
  const below = windowEndPx() - edge - top;
  if (bottom - top <= below) return;
  const above = button.top - 2 * edge;
  if (above > below) menu.style.bottom = '100%';
  menu.style.maxHeight = `${Math.max(above, below, leastPx)}px`;
}

/** An item is off without `disabled`: that would take the focus from it, and browsers show no reason on what is disabled. */
function offIf(reason: string) {
  return reason === '' ? {} : ({ 'aria-disabled': true, title: reason } as const);
}

function items(box: HTMLElement | null): readonly HTMLElement[] {
  const all = [...(box?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
  // Some items are shown only in one width of the page.
  return all.filter((item) => item.offsetParent !== null);
}

interface MenuItemProps {
  readonly run: () => void;
  readonly children: ComponentChildren;
  /** Whether the choice holds; absent for an action. */
  readonly isChosen?: boolean;
  readonly class?: string;
  /** The reason why it cannot be done now; empty where it can. */
  readonly offBecause?: string;
}

export function MenuItem({ run, children, isChosen, class: className = '', offBecause = '' }: MenuItemProps) {
  return (
    <button
      type="button"
      class={className}
      role={isChosen === undefined ? 'menuitem' : 'menuitemradio'}
      {...(isChosen === undefined ? {} : { 'aria-checked': isChosen })}
      {...offIf(offBecause)}
      tabIndex={-1}
      onClick={offBecause === '' ? run : undefined}
    >
      {children}
    </button>
  );
}
