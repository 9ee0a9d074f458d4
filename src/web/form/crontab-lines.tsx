/**
 * What is left to do once the checks of a crontab are there: the crontab with their pings in it. This tab keeps it, as it is nowhere
 * else and one may leave the page before it is in its place.
 */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { addressOf, go } from '../core/route.ts';
import { withPings } from '../snippets/crontab-lines.ts';
import { Copyable, LocalOnly } from '../ui/bits.tsx';

/** A crontab and the checks that were created from it. */
export interface DoneCrontab {
  readonly text: string;
  /** The ping URL of each line that has a check, from 1. */
  readonly urls: ReadonlyMap<number, string>;
  readonly hasUsers: boolean;
}

const keyOf = (project: string): string => `knell.crontab.${project}`;

export function keepCrontab(project: string, { text, urls, hasUsers }: DoneCrontab): void {
  sessionStorage.setItem(keyOf(project), JSON.stringify({ text, urls: [...urls], hasUsers }));
}

export function dropCrontab(project: string): void {
  sessionStorage.removeItem(keyOf(project));
}

/** Returns what this tab kept; null for nothing. */
export function keptCrontab(project: string): DoneCrontab | null {
  const kept = sessionStorage.getItem(keyOf(project));
  if (kept === null) return null;
  const { text, urls, hasUsers } = JSON.parse(kept);
  return { text, urls: new Map(urls), hasUsers };
}

interface LinesProps {
  readonly project: string;
  readonly done: DoneCrontab;
  /** Called for the form, with nothing in it. */
  readonly again: () => void;
}

/** Without its pings, each of the checks would be down after its first time. */
export function CrontabLines({ project, done, again }: LinesProps) {
  const { text, urls, hasUsers } = done;
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  const { text: changed, untouched } = withPings(text, urls, { hasUsers });
  return (
    <section class="crontab-lines">
      <h2 ref={heading} tabIndex={-1}>
        Now let the jobs ping
      </h2>
      <p>
        This is your crontab, in which each job that has a check says when it starts and how it ends. Put it
        in the place of the old one. A check waits for its first ping until then.
      </p>
      <Copyable text={changed} file="crontab.txt" />
      <LocalOnly url={[...urls.values()][0] ?? ''} what="These addresses" />
      {untouched.size > 0 && (
        <ul>
          {[...untouched].map(([line, reason]) => (
            <li key={line}>
              Line {line} is unchanged. {reason}: <code>{urls.get(line)}</code>
            </li>
          ))}
        </ul>
      )}
      <div class="actions">
        <button type="button" class="main" onClick={() => go(addressOf(project, 'checks'))}>
          Show the checks
        </button>
        <button type="button" onClick={again}>
          Paste another crontab
        </button>
      </div>
    </section>
  );
}
