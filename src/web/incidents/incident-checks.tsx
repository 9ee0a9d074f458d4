/**
 * The checks of an incident: those that are down, the worst first, each with the reason, its description, which says what to do, and its
 * last lines of output; and those that are no longer down, with why they were.
 * Invariant: the output of a check is read when it comes into sight: an incident may have a hundred. What is above it does not move when
 * it has come.
 */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { IncidentCheckView, IncidentView } from '../../domain/views/incident-view.ts';
import type { ActiveWindowView, CheckRow } from '../../domain/views/page-view.ts';
import { shownName } from '../../domain/words/check-name.ts';
import { addressOf } from '../core/route.ts';
import { statusReason } from '../core/status-words.ts';
import { exactTime, momentWords } from '../core/words.ts';
import { maintainedUntil } from '../rows/maintained.ts';
import { nameOf, stateWords } from '../rows/row-words.ts';
import { Description } from '../ui/description.tsx';
import { Icon } from '../ui/icons.tsx';
import { Shape } from '../ui/status-mark.tsx';
import { Expected, WhyDownNow, WhyDownThen } from './why-down.tsx';

export function idOf({ uuid, unique_key: key }: IncidentCheckView): string {
  return uuid ?? key ?? '';
}

interface ChecksProps {
  readonly incident: IncidentView;
  readonly rows: ReadonlyMap<string, CheckRow>;
  /** The maintenance that is on. */
  readonly windows: readonly ActiveWindowView[];
  readonly project: string;
  readonly nowMs: number;
}

export function IncidentChecks({ incident, rows, windows, project, nowMs }: ChecksProps) {
  const { checks, n_checks } = incident;
  const down = checks.filter(({ left }) => left === null).sort(worstFirst);
  const over = checks.filter(({ left }) => left !== null);
  const more = n_checks - checks.length;
  return (
    <>
      {down.length > 0 && (
        <section aria-labelledby="down-now">
          <h2 id="down-now">Down now</h2>
          <ul class="plain incident-checks">
            {down.map((check) => (
              <DownCheck
                key={idOf(check)}
                row={rows.get(idOf(check))}
                descLines={down.length === 1 ? linesShown.ofOne : linesShown.ofSeveral}
                {...{ check, windows, project, nowMs }}
              />
            ))}
          </ul>
          {more > 0 && (
            <p class="faint">And {more.toLocaleString()} more have joined, which are not listed.</p>
          )}
        </section>
      )}
      {over.length > 0 && (
        <section aria-labelledby="no-longer">
          <h2 id="no-longer">No longer down</h2>
          <ul class="card plain over-checks">
            {over.map((check) => (
              <OverCheck key={idOf(check)} isThere={rows.has(idOf(check))} {...{ check, project, nowMs }} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** Lines of a long description before somebody asks for all of it: of several checks each has little more than its runbook. */
const linesShown = { ofOne: 8, ofSeveral: 2 } as const;

/** What others depend on before what depends on it, then what has been down the longest. */
function worstFirst(a: IncidentCheckView, b: IncidentCheckView): number {
  if (a.dependent !== b.dependent) return Number(a.dependent) - Number(b.dependent);
  return Date.parse(a.joined) - Date.parse(b.joined);
}

interface DownProps extends Pick<ChecksProps, 'windows' | 'project' | 'nowMs'> {
  readonly check: IncidentCheckView;
  readonly row: CheckRow | undefined;
}

function DownCheck({ descLines, ...props }: DownProps & { readonly descLines: number }) {
  const { check, row, project, nowMs } = props;
  const box = useRef<HTMLLIElement>(null);
  const isNear = useNear(box);
  const description = check.desc !== undefined && (
    <div class="what-to-do">
      <strong>Description</strong>
      <Description text={check.desc} lines={descLines} />
    </div>
  );
  return (
    <li class="card" ref={box}>
      {row ? (
        <>
          <Head {...props} row={row} />
          {isNear && saysMore(row) ? (
            <WhyDownNow {...{ row, project, nowMs, description }} />
          ) : (
            <>
              <p class="why">{statusReason(row, [], nowMs)}</p>
              <Expected {...{ row, nowMs }} />
              {description}
            </>
          )}
        </>
      ) : (
        <p class="name">{shownName(check)}</p>
      )}
    </li>
  );
}

function Head({ check, row, windows, project, nowMs }: DownProps & { readonly row: CheckRow }) {
  const untilMs = maintainedUntil(row, windows);
  const { mark, first, held } = stateWords(row, nowMs, untilMs);
  const isHeld = row.acknowledged !== null || mark === 'snoozed';
  const isMaintained = untilMs !== null && !isHeld;
  return (
    <div class="incident-check">
      <Shape of={mark} size={20} />
      <p class="name">
        <a href={addressOf(project, 'checks', row.id)}>{nameOf(row)}</a>
        {check.dependent && <span class="faint"> depends on what is down</span>}
      </p>
      <p class={row.status === 'down' ? 'since bad' : 'since'}>
        {first}
        <span class="faint" title={exactTime(row.sinceMs)}>
          {' '}
          since {momentWords(row.sinceMs, nowMs)}
        </span>
      </p>
      {isHeld && (
        <p class="held faint">
          <Icon name={mark === 'snoozed' ? 'moon' : 'acknowledge'} /> {held}
        </p>
      )}
      {isMaintained && (
        <p class="held faint">
          <Shape of="maintenance" size={16} /> {held}
        </p>
      )}
    </div>
  );
}

/** Whether its log has more of the reason than its row. */
function saysMore({ status, cause, sinceMs, lastPingMs }: CheckRow): boolean {
  const failedSince = lastPingMs !== null && lastPingMs > sinceMs;
  return status === 'down' && (cause === 'fail' || cause === 'hung' || failedSince);
}

/** Pixels below the window from which something is near. */
const nearPx = 400;

/** Whether it has been in sight, or nearly. */
function useNear(box: { readonly current: Element | null }): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element || isNear) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: `${nearPx}px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, isNear]);
  return isNear;
}

interface OverProps extends Pick<ChecksProps, 'project' | 'nowMs'> {
  readonly check: IncidentCheckView;
  readonly isThere: boolean;
}

function OverCheck({ check, isThere, project, nowMs }: OverProps) {
  const { name, joined, left, again } = check;
  const box = useRef<HTMLLIElement>(null);
  const isNear = useNear(box);
  const leftMs = Date.parse(left ?? '');
  const shown = shownName({ name });
  return (
    <li ref={box}>
      {isThere ? <a href={addressOf(project, 'checks', idOf(check))}>{shown}</a> : <span>{shown}</span>}
      <span class="faint" title={exactTime(leftMs)}>
        {isThere ? 'since' : 'deleted; no longer down since'} {momentWords(leftMs, nowMs)}
      </span>
      {again && (
        <p class="bad">
          It is down again since {momentWords(again.sinceMs, nowMs)}:{' '}
          <a href={addressOf(project, 'incidents', again.incident)}>open incident</a>
        </p>
      )}
      {isThere && isNear && (
        <div class="was-down">
          <WhyDownThen {...{ project, nowMs }} id={idOf(check)} joinedMs={Date.parse(joined)} />
        </div>
      )}
    </li>
  );
}
