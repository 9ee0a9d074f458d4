/**
 * The page of the manual about schedules: an expression that one types or chooses, and when it occurs, as the server would say. It is
 * computed in the browser: the manual is public, so the server does no work for it.
 */

import { capital } from '../domain/words/capital.ts';
import { wordsOfCalendar, wordsOfCron } from '../domain/words/schedule-words.ts';
import { canonicalTimeZone, parseSchedule, type Schedule } from '../schedule/schedule.ts';

const first = '30 2 * * *';
const shownTimes = 5;

function made<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties);
}

const expression = made('input', { id: 'expression', value: first, autocomplete: 'off', spellcheck: false });
const zone = made('input', { id: 'zone', value: hereZone(), autocomplete: 'off', spellcheck: false });
const zones = made('datalist', { id: 'zones' });
const output = made('output');

function hereZone(): string {
  return canonicalTimeZone(new Intl.DateTimeFormat().resolvedOptions().timeZone) ?? 'UTC';
}

function show(): void {
  const parsed = parseSchedule(expression.value, zone.value.trim());
  expression.setAttribute('aria-invalid', String(!parsed.ok));
  if (!parsed.ok) {
    output.replaceChildren(made('p', { className: 'problem', textContent: `${capital(parsed.error)}.` }));
    return;
  }
  const { schedule } = parsed;
  const { words, zone: ownZone } = (schedule.kind === 'cron' ? wordsOfCron : wordsOfCalendar)(schedule.expr);
  const kind = schedule.kind === 'cron' ? 'Cron' : 'OnCalendar';
  const list = made('ol');
  list.append(...timesOf(schedule).map((text) => made('li', { textContent: text })));
  const said = `${kind}: ${words === '' ? '' : `${words}, `}${ownZone || schedule.tz}.`;
  output.replaceChildren(made('p', { textContent: said }), list);
}

/** The next times, in the zone that was typed. */
function timesOf({ next, tz }: Schedule): readonly string[] {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: tz, weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
    ...{ hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'shortOffset' },
  });
  const times: string[] = [];
  let after: number | null = Date.now();
  while (times.length < shownTimes) {
    after = next(after);
    if (after === null) break;
    times.push(format.format(after));
  }
  return times.length === 0 ? ['Never again.'] : times;
}

/** The expressions of the tables become buttons that try them. */
function offer(code: HTMLElement): void {
  const text = code.textContent ?? '';
  const button = made('button', { type: 'button', className: 'try', title: 'Show when it occurs' });
  code.replaceWith(button);
  button.append(code);
  button.addEventListener('click', () => {
    expression.value = text;
    show();
    expression.scrollIntoView({ block: 'nearest' });
  });
}

function labelled(text: string, input: HTMLInputElement): HTMLLabelElement {
  const label = made('label', { textContent: text });
  label.append(input);
  return label;
}

const panel = made('section', { className: 'try-schedule', ariaLabel: 'Try a schedule' });
zone.setAttribute('list', 'zones');
zones.append(...['UTC', ...Intl.supportedValuesOf('timeZone')].map((value) => made('option', { value })));
output.setAttribute('aria-live', 'polite');
output.setAttribute('for', 'expression zone');
panel.append(labelled('Expression', expression), labelled('Time zone', zone), zones, output);
document.querySelector('main h2')?.before(panel);
for (const code of document.querySelectorAll<HTMLElement>('td:first-child code')) {
  const title = code.closest('table')?.querySelector('th')?.textContent;
  if (title === 'expression') offer(code);
}
for (const input of [expression, zone]) input.addEventListener('input', show);
show();
