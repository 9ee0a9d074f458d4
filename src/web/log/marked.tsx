/** What a search has found in an output, with its words marked. */
import { Fragment } from 'preact';

interface MarkedProps {
  readonly text: string;
  /** Where the words are: from and to. */
  readonly marks: readonly (readonly number[])[];
}

export function Marked({ text, marks }: MarkedProps) {
  const last = marks.at(-1)?.[1] ?? 0;
  return (
    <>
      {marks.map(([from = 0, to = 0], at) => (
        <Fragment key={from}>
          {text.slice(marks[at - 1]?.[1] ?? 0, from)}
          <mark>{text.slice(from, to)}</mark>
        </Fragment>
      ))}
      {text.slice(last)}
    </>
  );
}
