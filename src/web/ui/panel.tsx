/**
 * One part of a page of settings: what it is at the left, what can be done at the right. Where the page is narrow, they are
 * below each other.
 */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import '../style/panels.css';

interface PanelProps {
  readonly title: string;
  /** Text that says what it is for, and what follows from a change. */
  readonly help?: ComponentChildren;
  /** `full` is for a table that needs the whole width, `danger` for what cannot be undone. */
  readonly look?: 'full' | 'danger';
  /** Whether Enter in one of its fields presses its `Act` that is `isDefault`. */
  readonly isForm?: boolean;
  /** The form itself, which gives the focus to a field that is wrong. */
  readonly form?: { current: HTMLFormElement | null };
  /** Called at Escape in its form. */
  readonly onEscape?: () => void;
  readonly children: ComponentChildren;
}

/** Its anchor: `keys-and-links`. */
export function panelId(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

/** Comes into sight where the address names it. */
function useNamed(id: string) {
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const look = (): void => {
      if (location.hash === `#${id}`) box.current?.scrollIntoView({ block: 'start' });
    };
    look();
    addEventListener('popstate', look);
    return () => removeEventListener('popstate', look);
  }, [id]);
  return box;
}

export function Panel(props: PanelProps) {
  const { title, help, look = '', isForm = false, form, onEscape, children } = props;
  const id = panelId(title);
  const box = useNamed(id);
  return (
    <section class={`card panel ${look}`.trim()} id={id} ref={box}>
      <div class="panel-head">
        <h2>{title}</h2>
        {help && <p>{help}</p>}
      </div>
      {isForm ? (
        // The browser presses the button. That the form is submitted, too, would load the page anew.
        <form
          ref={form ?? null}
          class="panel-body"
          noValidate
          onSubmit={(event) => event.preventDefault()}
          onKeyDown={({ key }) => key === 'Escape' && onEscape?.()}
        >
          {children}
        </form>
      ) : (
        <div class="panel-body">{children}</div>
      )}
    </section>
  );
}
