/**
 * `knell log --runs` prints the runs of a check: when each began, what became of it, how long it took.
 * Invariant: the order is that of `knell log`: the newest is the last line.
 */
import type { Management } from '../../client/management.ts';
import { countOf } from '../../client/options.ts';
import { noteWords } from '../../domain/runs/note-words.ts';
import { tookMs } from '../../domain/runs/run-took.ts';
import type { RunAnswer, RunListAnswer } from '../../domain/views/api-answers.ts';
import { KnellError } from '../../lib/errors.ts';
import type { Flags } from '../io/flags.ts';
import { logEntriesMax } from '../io/limits.ts';
import { formOf } from '../io/output.ts';
import { type Colour, coloured, printable, type TableStyle, tableStyle } from '../io/table.ts';
import { exitDone, print, printJson } from '../io/terminal.ts';
import { yamlOf } from '../io/yaml.ts';
import { findCheck } from './check-actions.ts';
import { localTime } from './check-log.ts';
import { tookText } from './check-rows.ts';

export async function showRuns(management: Management, word: string, flags: Flags): Promise<number> {
  if (flags.follow !== undefined) throw new KnellError('usage', '--runs does not go on: give it without -f');
  const count = countOf('-n', typeof flags.n === 'string' ? flags.n : '20', logEntriesMax);
  const { project, check } = await findCheck(management, word, flags);
  const path = `checks/${check.uuid}/runs/?limit=${Math.max(1, count)}`;
  const { runs } = (await management.call(project, 'GET', path)) as RunListAnswer;
  const shown = count === 0 ? [] : [...runs].reverse();
  const form = formOf(flags);
  if (form === 'json') printJson(shown);
  else if (form === 'yaml') process.stdout.write(yamlOf(shown));
  else {
    const style = tableStyle(process.stdout, process.env);
    for (const run of shown) print(lineOf(run, form === 'wide', style));
  }
  return exitDone;
}

const outcomeColours: Readonly<Record<RunAnswer['outcome'], Colour | undefined>> = {
  success: 'green',
  warning: 'yellow',
  failure: 'red',
  missed: 'red',
  hung: 'red',
  overtaken: 'grey',
  running: 'bold',
};

function lineOf(run: RunAnswer, wide: boolean, style: TableStyle): string {
  const {
    outcome,
    started,
    ended,
    duration,
    host,
    exitstatus,
    note,
    note_text,
    figures,
    late_end,
    rid,
    pings,
  } = run;
  const time = localTime(Date.parse(started ?? ended ?? ''));
  const details = [
    duration === null ? '' : `took ${tookText(tookMs(run), duration)}`,
    host === '' ? '' : `on ${host}`,
    exitstatus === null ? '' : `exit status ${exitstatus}`,
    note === null
      ? ''
      : (note_text ?? noteWords({ note, figures: noteFiguresOf(figures), about: '' }, localTime)),
    late_end === null ? '' : `ended at ${localTime(Date.parse(late_end))}`,
    wide && rid !== null ? `run ${rid}` : '',
    wide && pings.length > 0 ? pings.map((n) => `#${n}`).join(' ') : '',
  ];
  const word = coloured(outcome.padEnd(9), outcomeColours[outcome], style);
  return `${time}  run     ${word}  ${printable(details.filter((text) => text !== '').join(', '))}`.trimEnd();
}

/** As a ping has them. A server that is older sends none. */
function noteFiguresOf(figures: RunAnswer['figures']): readonly number[] {
  const { at_least, usual_from, usual_to, other_started, other_ended } = figures ?? {};
  const spans = [at_least, usual_from, usual_to].map((seconds) => seconds && seconds * 1000);
  const instants = [other_started, other_ended].map((iso) => iso && Date.parse(iso));
  return [...spans, ...instants].filter((figure) => typeof figure === 'number');
}
