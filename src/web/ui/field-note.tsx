/** What is said beside the name of a field, weaker than the name: that it may be empty, how it is written, an example. */
import type { ComponentChildren } from 'preact';

interface FieldNoteProps {
  /** In a form in which most fields are required, those that are not say so. */
  readonly isOptional?: boolean;
  readonly children?: ComponentChildren;
}

export function FieldNote({ isOptional = false, children }: FieldNoteProps) {
  return (
    <span class="faint">
      {isOptional && 'optional'}
      {isOptional && children !== undefined && ', '}
      {children}
    </span>
  );
}
