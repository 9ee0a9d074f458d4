/**
 * The table of what a crontab would make: a row for each job, which can be renamed or left out, and the lines that are no jobs,
 * with the reason.
 */
import type { CrontabCheckView, CrontabView } from '../../domain/views/page-view.ts';
import { capital, expressionWords } from '../core/words.ts';

/** The parts of a row that one can change. */
export interface Chosen {
  readonly isTicked: boolean;
  readonly name: string;
  readonly slug: string;
}

type Row = CrontabCheckView & Chosen;

interface TableProps {
  readonly rows: readonly Row[];
  /** Reasons why a job was not created, by its line. */
  readonly failed: ReadonlyMap<number, string>;
  readonly change: (line: number, to: Partial<Chosen>) => void;
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
          <Job key={row.line} row={row} {...props} />
        ))}
      </tbody>
    </table>
  );
}

function Job({ row, failed, change, tz }: Omit<TableProps, 'rows'> & { readonly row: Row }) {
  const { line, name, slug, schedule, command, user, isTicked, isThere } = row;
  const words = capital(expressionWords('cron', schedule).words);
  const error = failed.get(line) ?? '';
  const errorId = `crontab-error-${line}`;
  const said = error === '' ? {} : ({ 'aria-invalid': true, 'aria-describedby': errorId } as const);
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
            maxLength={100}
            value={name}
            {...said}
            onInput={(event) => change(line, { name: event.currentTarget.value })}
          />
        </td>
        <td class="slug">
          <input
            aria-label={`Slug of line ${line}`}
            maxLength={100}
            pattern="[a-z0-9_\-]*"
            title="Only lower-case letters, digits, - and _"
            value={slug}
            {...said}
            onInput={(event) => change(line, { slug: event.currentTarget.value })}
          />
        </td>
        <td class="schedule">
          <span>{words || schedule}</span>
          {words !== '' && <code class="faint">{schedule}</code>}
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
          {isThere && <span class="there">A check with this slug and schedule is there already. </span>}
          {user !== '' && <span class="faint">{user}: </span>}
          <code class="faint">{command}</code>
        </td>
      </tr>
    </>
  );
}

export function LeftOut({ lines }: { readonly lines: CrontabView['leftOut'] }) {
  if (lines.length === 0) return null;
  return (
    <section class="card left-out" aria-labelledby="left-out">
      <h2 id="left-out">Left out</h2>
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
