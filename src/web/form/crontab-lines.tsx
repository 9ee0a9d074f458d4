/**
 * What is left to do once the checks of a crontab are there: the crontab with their pings in it. This tab keeps it for its place in the
 * browser's history, as it is nowhere else and one may leave the page before it is in its place.
 */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { CrontabView } from '../../domain/views/page-view.ts';
import { addressOf, crontabPage, go, remembered } from '../core/route.ts';
import { withPings } from '../snippets/crontab-lines.ts';
import { Copyable, LocalOnly } from '../ui/bits.tsx';
import { LeftOut } from './crontab-table.tsx';

/** A crontab and the checks that were created from it. */
export interface DoneCrontab {
  readonly text: string;
  /** The ping URL of each line that has a check, from 1. */
  readonly urls: ReadonlyMap<number, string>;
  readonly hasUsers: boolean;
  /** The lines that have none, and why. */
  readonly without: CrontabView['leftOut'];
}

const keyOf = (project: string): string => `knell.crontab.${project}`;

/** By what its place in the browser's history says that it is of this crontab: no other one has that URL. */
function markOf({ urls }: DoneCrontab): string {
  return [...urls.values()][0] ?? '';
}

export function keepCrontab(project: string, done: DoneCrontab): void {
  sessionStorage.setItem(keyOf(project), JSON.stringify({ ...done, urls: [...done.urls] }));
  history.replaceState({ ...history.state, crontab: markOf(done) }, '');
}

export function dropCrontab(project: string): void {
  sessionStorage.removeItem(keyOf(project));
}

/** Returns what this tab kept for this place in the browser's history; null for nothing. */
export function keptCrontab(project: string): DoneCrontab | null {
  const kept = sessionStorage.getItem(keyOf(project));
  if (kept === null) return null;
  const { urls, ...rest } = JSON.parse(kept);
  const done: DoneCrontab = { ...rest, urls: new Map(urls) };
  return remembered().get('crontab') === markOf(done) ? done : null;
}

interface LinesProps {
  readonly project: string;
  readonly done: DoneCrontab;
  /** Called for the form, with nothing in it: somebody has opened this page anew, on which they are. */
  readonly again: () => void;
}

/** Without its pings, each of the checks would be down after its first time. */
export function CrontabLines({ project, done, again }: LinesProps) {
  const { text, urls, hasUsers, without } = done;
  const address = addressOf(project, 'new', crontabPage);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const moved = (): void => {
      if (location.pathname === address && !remembered().has('crontab')) again();
    };
    addEventListener('popstate', moved);
    return () => removeEventListener('popstate', moved);
  });
  useLayoutEffect(() => heading.current?.focus(), []);
  const { text: changed, untouched } = withPings(text, urls, { hasUsers });
  return (
    <section class="crontab-lines">
      <h2 ref={heading} tabIndex={-1}>
        Now let the jobs ping
      </h2>
      <p>
        This is your crontab, in which each job that has a check says when it starts and how it ends
        {untouched.size > 0 && <strong>{exceptWords([...untouched.keys()])}</strong>}. Put it in the place of
        the old one. A check waits for its first ping until then.{leftWords(without.length)}
      </p>
      <Copyable text={changed} file="crontab.txt" />
      <LocalOnly url={markOf(done)} what="These addresses" />
      {untouched.size > 0 && (
        <ul>
          {[...untouched].map(([line, reason]) => (
            <li key={line}>
              Line {line} is unchanged. {reason}: <code>{urls.get(line)}</code>
            </li>
          ))}
        </ul>
      )}
      <LeftOut title="Without a check" lines={without} />
      <div class="actions">
        <button type="button" class="main" onClick={() => go(addressOf(project, 'checks'))}>
          Show the checks
        </button>
        <button type="button" onClick={() => go(address)}>
          Paste another crontab
        </button>
      </div>
    </section>
  );
}

/** Also of a line whose job seemed to have a check already: it is here without a ping, which is easily overlooked. */
function leftWords(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? ' 1 line has no new check and is left as it was: see below.'
    : ` ${count} lines have no new check and are left as they were: see below.`;
}

/** Returns which lines have a check that nothing pings yet. */
function exceptWords(lines: readonly number[]): string {
  const [first] = lines;
  return lines.length === 1
    ? `, but line ${first}, which has a check and does not ping yet: see below`
    : `, but ${lines.length} lines, which have a check and do not ping yet: see below`;
}
