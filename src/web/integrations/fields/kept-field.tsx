/**
 * A field whose content is a secret that is there already: what may be shown of it, and a way to replace or to remove it.
 * Invariant: while nothing is asked for, the form sends nothing for the field, and the server keeps what it has.
 */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface KeptFieldProps {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly required: boolean;
  /** What may be shown of the content; empty for nothing. */
  readonly shown: string;
  /** Whether the server refused what was typed: the field stays open then. */
  readonly isWrong: boolean;
  /** Whether the field begins with what is there, as far as it is shown. */
  readonly isFilled: boolean;
  /** Whether something has been written into it that its user has asked for: it is opened. */
  readonly isAsked: boolean;
  /** Called when the content is to be kept after all. */
  readonly kept: () => void;
  /** The field for another content. */
  readonly children: ComponentChildren;
}

export function KeptField(props: KeptFieldProps) {
  const { id, name, label, required, shown, isWrong, isFilled, isAsked, kept, children } = props;
  const [asked, ask] = useState<'keep' | 'change' | 'remove'>('keep');
  const box = useRef<HTMLDivElement>(null);
  const isFirst = useRef(true);
  // What had the focus is gone with each step: the field gets it, or the first button.
  useLayoutEffect(() => {
    if (!isFirst.current) box.current?.querySelector<HTMLElement>('input, textarea, button')?.focus();
    isFirst.current = false;
  }, [asked]);
  // It stays open when the error goes.
  useLayoutEffect(() => {
    if (isWrong || isAsked) ask('change');
  }, [isWrong, isAsked]);
  const choose = (next: typeof asked): void => {
    if (next === 'keep') kept();
    ask(next);
  };
  const button = (words: string, next: typeof asked) => (
    <button type="button" class="quiet" onClick={() => choose(next)}>
      {words}
      <span class="hidden"> {label}</span>
    </button>
  );
  if (asked === 'change' || isWrong)
    return (
      <div ref={box}>
        {children}
        <div class="kept">
          {!isFilled && (
            <span class="faint">
              {shown === '' ? 'Replaces the current one when you save.' : `Replaces ${shown} when you save.`}
            </span>
          )}
          {button('Keep the current', 'keep')}
        </div>
      </div>
    );
  return (
    <div class="field" role="group" aria-labelledby={`${id}-label`} ref={box}>
      <span id={`${id}-label`}>{label}</span>
      <div class="kept">
        {asked === 'remove' ? (
          <>
            <input type="hidden" name="clear" value={name} />
            <span>Removed when you save.</span>
            {button('Keep the current', 'keep')}
          </>
        ) : (
          <>
            {shown === '' ? <span class="faint">Set, not shown</span> : <code>{shown}</code>}
            <span>
              {button('Change', 'change')}
              {!required && button('Remove', 'remove')}
            </span>
          </>
        )}
      </div>
    </div>
  );
}
