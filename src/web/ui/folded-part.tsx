/** A part of a form that is closed until somebody sets something in it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface FoldedPartProps {
  readonly title: string;
  /** Behind the title: how it is set. */
  readonly words: string;
  /** The same out of the form, after something in the form was changed; absent where `words` follows by itself. */
  readonly wordsIn?: (form: FormData) => string;
  /** Whether anything in it is set: then it begins open. */
  readonly isSet: boolean;
  /** Whether a field in it has an error: then it is opened. */
  readonly isWrong: boolean;
  /** Behind the words: what is doubtful in it, for which it is opened once; empty or absent for nothing. */
  readonly caution?: string;
  readonly children: ComponentChildren;
}

/** In place of how a part is set, while something in it is not right. */
export const wrongWords = 'something in it is not right yet';

const changes = ['input', 'change', 'click', 'keyup'] as const;

export function FoldedPart({
  title,
  words,
  wordsIn,
  isSet,
  isWrong,
  caution = '',
  children,
}: FoldedPartProps) {
  const [isOpen, setOpen] = useState(isSet);
  // Before the focus goes to the field that is wrong, and it stays open when the error goes.
  const isDoubtful = caution !== '';
  useLayoutEffect(() => {
    if (isWrong || isDoubtful) setOpen(true);
  }, [isWrong, isDoubtful]);
  const box = useRef<HTMLDetailsElement>(null);
  const [saidNow, setSaidNow] = useState('');
  useEffect(() => {
    // All of the form: what is set may follow from a field above.
    const form = box.current?.closest('form');
    if (!form || !wordsIn) return;
    const changed = (): void => {
      // What a click or a key adds to a list is in the form once it is drawn.
      requestAnimationFrame(() => setSaidNow(wordsIn(new FormData(form))));
    };
    for (const type of changes) form.addEventListener(type, changed);
    return () => {
      for (const type of changes) form.removeEventListener(type, changed);
    };
    // Each draw of the form has another function that says the same.
  }, []);
  // What is set may follow without an event.
  useEffect(() => {
    const form = box.current?.closest('form');
    if (form && wordsIn && saidNow !== '') setSaidNow(wordsIn(new FormData(form)));
  }, [words]);
  return (
    <details
      ref={box}
      open={isOpen || isWrong}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      // The browser itself refuses a field, and gives the focus to none that is not shown.
      onInvalidCapture={({ currentTarget }) => {
        currentTarget.open = true;
      }}
    >
      <summary>
        {title} <span class="faint">{isWrong ? wrongWords : saidNow || words}</span>
        {isDoubtful && <span class="caution"> · {caution}</span>}
      </summary>
      {children}
    </details>
  );
}
