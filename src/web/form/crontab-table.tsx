/**
 * The table of what a crontab would make: a row for each job, which can be renamed or left out, and the lines that are no jobs,
 * with the reason.
 */

import { servicePingedIn } from '../../domain/crontab/known-services.ts';
import { userBefore, userWords } from '../../domain/crontab/user-column.ts';
import type { CrontabCheckView, CrontabView } from '../../domain/views/page-view.ts';
import { capital } from '../../domain/words/capital.ts';
import { exactSpan } from '../../domain/words/span-words.ts';
import { largeStepWords } from '../../domain/words/step-words.ts';
import { expressionWords } from '../core/words.ts';
import { type FieldError, noFieldError } from '../ui/field-error.tsx';
import { SlugTwins, twinWords, useSlugTwins } from './slug-twins.tsx';

/** The parts of a row that one can change. */
export interface Chosen {
  readonly isTicked: boolean;
  readonly name: string;
  readonly slug: string;
}

interface Row extends CrontabCheckView, Chosen {
  /** The slug that the server proposed, which no other check has. */
  readonly freeSlug: string;
}

interface TableProps {
  readonly project: string;
  readonly rows: readonly Row[];
  /** Reasons why a job was not created, by its line. */
  readonly failed: ReadonlyMap<number, FieldError>;
  /** Reasons why a job would get a check but no ping, by its line. */
  readonly untouched: ReadonlyMap<number, string>;
  readonly change: (line: number, to: Partial<Chosen>) => void;
  /** Seconds of grace for all of them; null for what each job needs. */
  readonly graceS: number | null;
  /** Zone of the machine; `CRON_TZ` may say another one. */
  readonly tz: string;
}

export function CrontabTable({ rows, ...props }: TableProps) {
  return (
    <table class="crontab-jobs card">
      <caption class="hidden">Checks that will be created</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="hidden">Create</span>
          </th>
          <th scope="col">Name</th>
          <th scope="col">Slug</th>
          <th scope="col">Schedule</th>
          <th scope="col">Time zone</th>
          <th scope="col">Line</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Job key={row.line} row={row} sameSlug={sameSlug(row, rows)} {...props} />
        ))}
      </tbody>
    </table>
  );
}

/** Returns the names of the other rows that would be created with the slug of a row. */
function sameSlug({ line, slug }: Row, rows: readonly Row[]): readonly string[] {
  if (slug === '') return [];
  return rows
    .filter((other) => other.isTicked && other.line !== line && other.slug === slug)
    .map(({ name }) => name);
}

interface JobProps extends Omit<TableProps, 'rows'> {
  readonly row: Row;
  /** Names of the other rows with its slug. */
  readonly sameSlug: readonly string[];
}

function Job({ project, row, sameSlug, failed, untouched, change, graceS, tz }: JobProps) {
  const { line, name, slug, schedule, command, user, isTicked } = row;
  const there = thereWords(row);
  const service = there === '' ? servicePingedIn(command) : '';
  const unpinged = isTicked ? untouched.get(line) : undefined;
  const words = capital(expressionWords('cron', schedule).words);
  const steps = largeStepWords(schedule);
  const { field: wrong, error } = failed.get(line) ?? noFieldError;
  const errorId = `crontab-error-${line}`;
  const said = (field: string) =>
    wrong === field ? ({ 'aria-invalid': true, 'aria-describedby': errorId } as const) : {};
  const taken = useSlugTwins(project, isTicked && slug !== row.freeSlug ? slug : '');
  const twins = !isTicked ? '' : taken || (sameSlug.length > 0 ? twinWords(slug, sameSlug) : '');
  const twinsId = `crontab-twins-${line}`;
  return (
    <>
      <tr class={isTicked ? '' : 'off'}>
        <td class="pick">
          <input
            type="checkbox"
            aria-label={`Create ${name}, line ${line}`}
            checked={isTicked}
            onChange={() => change(line, { isTicked: !isTicked })}
          />
        </td>
        <td class="name">
          <input
            aria-label={`Name of line ${line}`}
            value={name}
            {...said('name')}
            onInput={(event) => change(line, { name: event.currentTarget.value })}
          />
        </td>
        <td class="slug">
          <input
            aria-label={`Slug of line ${line}`}
            pattern="[a-z0-9_\-]*"
            title="Only lower-case letters, digits, - and _"
            value={slug}
            aria-describedby={twins === '' ? undefined : twinsId}
            {...said('slug')}
            onInput={(event) => change(line, { slug: event.currentTarget.value })}
          />
        </td>
        <td class="schedule">
          <span>{words || schedule}</span>
          {words !== '' && <code class="faint">{schedule}</code>}
          <span class="grace faint">Grace {exactSpan((graceS ?? row.graceS) * 1000)}</span>
        </td>
        <td class="zone">{row.tz === tz ? row.tz : <strong>{row.tz}</strong>}</td>
        <td class="from">{line}</td>
      </tr>
      <tr class={isTicked ? 'command' : 'command off'}>
        <td />
        <td colSpan={5}>
          {error !== '' && (
            <p class="problem" id={errorId} role="alert">
              {error}
            </p>
          )}
          <SlugTwins id={twinsId} words={twins} />
          {there !== '' && (
            <span class="there">
              {there}. {!isTicked && 'This line is left as it is unless you tick it. '}
            </span>
          )}
          {unpinged !== undefined && (
            <span class="there">No ping can be added to this line. {unpinged}. </span>
          )}
          {steps !== '' && <span class="there">{steps}. </span>}
          {service !== '' && <span class="there">It pings {service} already. </span>}
          <UserColumn command={command} />
          {user !== '' && <span class="faint">{user}: </span>}
          <code class="faint">{command}</code>
        </td>
      </tr>
    </>
  );
}

/** Why the line seems to have a check already, without a full stop; empty if it does not. */
export function thereWords({ pings, isThere, isCalledSo }: CrontabCheckView): string {
  if (pings !== undefined) return `It already pings ${pings}`;
  if (isThere) return 'A check with this slug and schedule is there already';
  return isCalledSo ? 'A check with this name is there already' : '';
}

/** Says where a line seems to be of a crontab with a column of users, and the others are not. */
function UserColumn({ command }: { readonly command: string }) {
  const found = userBefore(command);
  return found && <span class="there">{userWords(found.user)} </span>;
}

interface LeftOutProps {
  readonly title: string;
  readonly lines: CrontabView['leftOut'];
}

export function LeftOut({ title, lines }: LeftOutProps) {
  if (lines.length === 0) return null;
  return (
    <section class="card left-out" aria-labelledby="left-out">
      <h2 id="left-out">{title}</h2>
      <ul>
        {lines.map(({ line, text, reason }) => (
          <li key={line}>
            <span class="figure faint">Line {line}</span>
            <span>
              <strong>{reason}.</strong> <code>{text}</code>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
