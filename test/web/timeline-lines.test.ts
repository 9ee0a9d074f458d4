/** The timeline of an incident: what belongs together is one line, and nothing else is. Without a browser. */
import { expect, test } from 'vitest';
import type { IncidentDetailsAnswer } from '../../src/domain/views/api-answers.ts';
import {
  type Joinable,
  joinedLines,
  leftWords,
  namesOf,
  recipientNames,
  reopenedWords,
  textsOf,
} from '../../src/web/incidents/timeline-lines.ts';

const second = 1000;
const sent = (
  atMs: number,
  to: string,
  { check = 'db', kind = 'down delivered', id = to } = {},
): Joinable => ({
  ...{ atMs, kind, checks: [check], to: [{ id, name: to }] },
  say: (checks, _, all) => `${checks} to ${all}`,
});
const left = (atMs: number, check: string): Joinable => ({
  ...{ atMs, kind: 'left', checks: [check], say: leftWords },
});
const resolved = (atMs: number): Joinable => ({
  ...{ atMs, kind: 'resolved', checks: [''], say: () => 'resolved' },
});

const said = (...lines: readonly Joinable[]): readonly string[] =>
  joinedLines(lines).map(({ say, checks, to = [] }) =>
    say(namesOf(checks), checks.length === 1, recipientNames(to)),
  );

test('what was sent of one change to several integrations is one line', () => {
  expect(said(sent(2, 'team'), sent(3, 'ops'), sent(9, 'chat'))).toEqual(['db to team, ops and chat']);
});

test('but not what became something else, is of another check, or of another change', () => {
  expect(said(sent(2, 'team', { kind: 'down failed' }), sent(3, 'ops'))).toHaveLength(2);
  expect(said(sent(2, 'team', { check: 'app' }), sent(3, 'ops'))).toHaveLength(2);
  expect(said(sent(2, 'team'), sent(70 * second, 'ops'))).toEqual(['db to ops', 'db to team']);
});

test('of one integration, several checks are one line', () => {
  expect(said(sent(2, 'ops'), sent(3, 'ops', { check: 'app' }))).toEqual(['db and app to ops']);
});

test('each integration counts where several are called the same', () => {
  const [one, other] = ['one', 'other'].map((id, at) => sent(2 + at, 'ntfy', { id }));
  if (!one || !other) throw new Error('unreachable');
  expect(said(one, other)).toEqual(['db to ntfy (2)']);
  expect(said(one, other, sent(5, 'ops'))).toEqual(['db to ntfy (2) and ops']);
  // Of one check each they are not one.
  expect(said(one, sent(3, 'ntfy', { id: 'other', check: 'app' }))).toHaveLength(2);
});

test('the check that was the last to be down and the end of the incident are one line', () => {
  // In the order in which the page has them: newest first.
  expect(said(resolved(9), left(9, 'db'))).toEqual(['db is no longer down: resolved']);
  expect(said(resolved(9), left(8, 'app'), left(7, 'db'))).toEqual([
    'resolved',
    'db and app are no longer down',
  ]);
});

test('how many times it reopened is said from twice on, and that it may be more where entries are gone', () => {
  const words = (count: number): string => {
    const entries = Array.from({ length: count }, () => ({ kind: 'reopened' }));
    return reopenedWords({ entries } as unknown as IncidentDetailsAnswer);
  };
  expect([words(1), words(24), words(200)]).toEqual([
    '',
    ' · reopened 24 times',
    ' · reopened at least 200 times',
  ]);
});

test('of an integration that fails again and again, only the newest line says why', () => {
  const failed = (to: string, text = 'Status 500. Given up.') => ({
    to: [{ id: to, name: to }],
    isBad: true,
    text,
  });
  const lines = [failed('tickets'), failed('pager'), failed('tickets'), failed('tickets', 'Status 404.')];
  const said = textsOf([...lines, failed('tickets')]);
  const [why, same] = ['Status 500. Given up.', 'Same as above for tickets.'];
  expect(said).toEqual([why, why, same, 'Status 404.', why]);
  // Another integration of the same name has failed for another reason.
  const other = { ...failed('other', 'Status 404.'), to: [{ id: 'other', name: 'pager' }] };
  expect(textsOf([failed('pager'), other, failed('pager')])).toEqual([why, 'Status 404.', why]);
  // What somebody wrote is theirs, and what is not wrong has no reason.
  const note = { isBad: false, text: 'On it.' };
  expect(textsOf([note, note])).toEqual(['On it.', 'On it.']);
});
