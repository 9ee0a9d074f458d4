/** How the rules of a field with a little language of its own are written: folded below it, with examples that can be taken. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

interface HowToWriteProps {
  /** Rules, and what each of them means. */
  readonly examples: readonly (readonly [rule: string, meaning: string])[];
  readonly use: (rule: string) => void;
  readonly isWrong: boolean;
  /** The language in short, below the examples. */
  readonly children: ComponentChildren;
}

/** Closed until somebody wants it, or writes a rule that is none. */
export function HowToWrite({ examples, use, isWrong, children }: HowToWriteProps) {
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    if (isWrong) setOpen(true);
  }, [isWrong]);
  return (
    <details class="how" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>How to write rules</summary>
      <ul class="hint rules">
        {examples.map(([rule, meaning]) => (
          <li key={rule}>
            <span>
              <code>{rule}</code> <span class="faint">{meaning}</span>
            </span>
            <button type="button" class="quiet" onClick={() => use(rule)}>
              Use<span class="hidden"> {rule}</span>
            </button>
          </li>
        ))}
      </ul>
      <p class="faint hint">{children}</p>
    </details>
  );
}
