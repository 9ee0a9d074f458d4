/** A part of a form that is closed until somebody sets something in it. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

interface FoldedPartProps {
  readonly title: string;
  /** Behind the title: what it sets, or how it is set. */
  readonly words: string;
  /** Whether anything in it is set: then it begins open. */
  readonly isSet: boolean;
  /** Whether a field in it has an error: then it is opened. */
  readonly isWrong: boolean;
  readonly children: ComponentChildren;
}

export function FoldedPart({ title, words, isSet, isWrong, children }: FoldedPartProps) {
  const [isOpen, setOpen] = useState(isSet);
  // Before the focus goes to the field that is wrong, and it stays open when the error goes.
  useLayoutEffect(() => {
    if (isWrong) setOpen(true);
  }, [isWrong]);
  return (
    <details open={isOpen || isWrong} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {title} <span class="faint">{words}</span>
      </summary>
      {children}
    </details>
  );
}
