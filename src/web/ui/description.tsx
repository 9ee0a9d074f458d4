/**
 * The description of a check: what an owner wrote of the job, with its addresses as links.
 * Invariant: a long one is folded, and never its runbook.
 */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { webAddress } from '../../domain/words/web-address.ts';
import { foldedText } from './description-lines.ts';

interface DescriptionProps {
  readonly text: string;
  /** On a phone, of one that is folded. */
  readonly lines: number;
}

export function Description({ text, lines }: DescriptionProps) {
  const [isWhole, setWhole] = useState(false);
  const folded = foldedText(text, lines);
  if (!folded) return <p class="desc">{linked(text)}</p>;
  return (
    <div class="folded-desc">
      <p class="desc">{linked(isWhole ? text : folded.text)}</p>
      {!isWhole && folded.runbook !== '' && <p class="desc">{linked(folded.runbook)}</p>}
      <button type="button" class="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
        {isWhole ? 'Show less' : 'Show all'}
        <span class="hidden"> of the description</span>
      </button>
    </div>
  );
}

/** Turns web addresses into links; everything else stays text. */
function linked(text: string): ComponentChildren {
  return text.split(webAddress).map((part, at) =>
    at % 2 === 1 ? (
      <a key={at} href={part} target="_blank" rel="noopener noreferrer">
        {part}
      </a>
    ) : (
      part
    ),
  );
}
