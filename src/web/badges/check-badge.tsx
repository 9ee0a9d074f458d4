/**
 * The badge of one check, which is found by typing.
 * Invariant: however many checks there are, one picture is asked for and a handful of names is shown.
 */
import { useMemo, useState } from 'preact/hooks';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { useAsk } from '../core/calls.ts';
import { useInSight } from '../core/use-in-sight.ts';
import { checksWords } from '../core/words.ts';
import { type ApiCheck, apiPath } from '../rows/api-check.ts';
import { filtered } from '../rows/filter.ts';
import { namesApart } from '../rows/names-apart.ts';
import { nameOf } from '../rows/row-words.ts';
import { Problem } from '../ui/bits.tsx';
import { Badge, type Look, shownOfCheck, silentWord, urlsOfCheck } from './badge.tsx';

const shownMax = 8;
/** `localeCompare` makes one for each pair, which takes long for thousands. */
const collator = new Intl.Collator(undefined, { numeric: true });

interface CheckBadgeProps {
  readonly rows: readonly CheckRow[];
  readonly project: string;
  readonly look: Look;
  /** Changes with what is not live in `rows`. */
  readonly others: string;
}

export function CheckBadge({ rows, project, look, others }: CheckBadgeProps) {
  const [text, setText] = useState('');
  const [id, setId] = useState('');
  const byName = useMemo(() => [...rows].sort((a, b) => collator.compare(nameOf(a), nameOf(b))), [rows]);
  const found = filtered(byName, text);
  // Some of many are not the one that is looked for.
  const isAsked = text.trim() !== '' || rows.length <= shownMax;
  const shown = isAsked ? found.slice(0, shownMax) : [];
  const nameFor = namesApart(shown);
  const chosen = rows.find((row) => row.id === id);
  return (
    <section class="card">
      <h2>A single check</h2>
      <label>
        Find a check by name, slug or tag
        <input
          type="search"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={({ key, isComposing }) => {
            const [first] = shown;
            if (key === 'Enter' && !isComposing && first && text.trim() !== '') setId(first.id);
          }}
        />
      </label>
      <div class="actions">
        {shown.map((row) => (
          <button key={row.id} type="button" aria-pressed={row.id === id} onClick={() => setId(row.id)}>
            {nameFor(row)}
          </button>
        ))}
      </div>
      <p class="faint" role="status">
        {hint(rows.length, found.length, isAsked)}
      </p>
      {chosen && <Chosen key={chosen.id} row={chosen} {...{ project, look, others }} />}
    </section>
  );
}

function hint(all: number, found: number, isAsked: boolean): string {
  if (all === 0) return 'No checks yet. Their badges will appear here.';
  if (!isAsked) return `${checksWords(all)}. Each has a badge: type a part of its name.`;
  if (found === 0) return 'No checks match.';
  return found > shownMax ? `${found - shownMax} more: type a name, a slug or a tag.` : '';
}

function Chosen({ row, project, look, others }: Omit<CheckBadgeProps, 'rows'> & { readonly row: CheckRow }) {
  const { data, error } = useAsk<ApiCheck>(apiPath(project, `checks/${row.id}`));
  // On a phone the names above it may fill the screen.
  const box = useInSight(data ? row.id : '', error);
  return (
    <div ref={box} class="chosen-badge">
      <Problem text={error} />
      {data && (
        <ul class="plain badges">
          <Badge
            name={nameOf(row)}
            of={nameOf(row)}
            label={row.name || row.slug || 'status'}
            urls={urlsOfCheck(data.badge_url)}
            look={look}
            note={silentWord(row)}
            shows={`${shownOfCheck(row)} ${others}`}
          />
        </ul>
      )}
    </div>
  );
}
