// `knell schedule`: what it prints, its exit statuses, and the line-by-line mode.

import { describe, expect, it } from 'vitest';
import { parseIsoTime, runSchedule, type ScheduleArguments } from '../../../src/cli/schedule/schedule.ts';

const NOW_MS = Date.parse('2026-03-28T10:55:00Z');

interface Outcome {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

async function run(args: ScheduleArguments, input: readonly (string | Uint8Array)[] = []): Promise<Outcome> {
  let out = '';
  let err = '';
  async function* stdin(): AsyncGenerator<string | Uint8Array> {
    yield* input;
  }
  const status = await runSchedule(args, {
    stdin: stdin(),
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (err += text) },
    nowMs: NOW_MS,
  });
  return { status, out, err };
}

async function ask(...lines: string[]): Promise<unknown[]> {
  const { status, out } = await run({ expr: '-' }, [`${lines.join('\n')}\n`]);
  expect(status).toBe(0);
  return out
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

describe('knell schedule EXPR', () => {
  it('prints local time, UTC and distance, one occurrence a line', async () => {
    const { status, out } = await run({ expr: '0 14 * * *', tz: 'Europe/Riga', n: '2' });
    expect(status).toBe(0);
    expect(out).toBe(
      '2026-03-28T14:00:00+02:00  2026-03-28T12:00:00Z  in 1 h 5 min\n' +
        '2026-03-29T14:00:00+03:00  2026-03-29T11:00:00Z  in 1 d\n',
    );
  });

  it('says the notation and the present name of the zone on stderr', async () => {
    expect((await run({ expr: 'daily', tz: 'Europe/Kiev' })).err).toBe('OnCalendar, Europe/Kyiv\n');
  });

  it('prints five occurrences in UTC by default', async () => {
    expect((await run({ expr: 'hourly' })).out.trimEnd().split('\n')).toHaveLength(5);
  });

  it('prints one JSON object with --json', async () => {
    const { out } = await run({ expr: '0 14 * * *', tz: 'Europe/Riga', n: '1', json: true });
    expect(JSON.parse(out)).toEqual({
      expr: '0 14 * * *',
      tz: 'Europe/Riga',
      kind: 'cron',
      next: ['2026-03-28T12:00:00+00:00'],
    });
    expect(out.match(/\n/g)).toHaveLength(1);
  });

  it('starts from --from, and shows past occurrences as such', async () => {
    const { out } = await run({ expr: '0 12 * * *', from: '2026-03-25T12:00:00Z', n: '1' });
    expect(out).toBe('2026-03-26T12:00:00+00:00  2026-03-26T12:00:00Z  1 d 22 h ago\n');
  });

  it('prints nothing but a note when a valid schedule does not occur again', async () => {
    const { status, out, err } = await run({ expr: '2025-01-01' });
    expect([status, out]).toEqual([0, '']);
    expect(err).toContain('does not occur again');
  });

  it('exits with 1 and one line when the expression is not valid', async () => {
    const { status, out, err } = await run({ expr: '61 * * * *' });
    expect([status, out, err]).toEqual([1, '', 'knell schedule: invalid minute "61": use 0–59\n']);
  });

  it.each([
    { n: '0' },
    { n: '1001' },
    { n: '1.5' },
    { n: '-1' },
    { n: '' },
    { tz: 'europe/riga' },
    { from: 'yesterday' },
    { from: '2026-02-30' },
    { from: '1969-12-31' },
  ])('exits with 2 and one line on %j', async (options) => {
    const { status, out, err } = await run({ expr: 'daily', ...options });
    expect([status, out]).toEqual([2, '']);
    expect(err).toMatch(/^knell schedule: .+\n$/);
  });

  it('reads times with and without an offset, UTC being the default', () => {
    expect(parseIsoTime('2026-03-29')).toBe(Date.UTC(2026, 2, 29));
    expect(parseIsoTime('2026-03-29T01:02')).toBe(Date.UTC(2026, 2, 29, 1, 2));
    expect(parseIsoTime('2026-03-29T01:02:03.5+03:00')).toBe(Date.UTC(2026, 2, 28, 22, 2, 3, 500));
    expect(parseIsoTime('2026-03-29T25:00')).toBe(null);
  });
});

describe('knell schedule -', () => {
  it('answers each question with epoch ms, in order', async () => {
    expect(
      await ask('{"expr":"0 0 * * *","tz":"Europe/Riga","from":1774692000000,"n":2}', '{"expr":"hourly"}'),
    ).toEqual([{ next: [1774735200000, 1774818000000] }, { next: [Date.parse('2026-03-28T11:00:00Z')] }]);
  });

  it('answers with fewer than n, or none, where the sequence ends', async () => {
    expect(
      await ask('{"expr":"2026..2027-1-1","from":0,"n":5}', '{"expr":"2025-1-1","from":1774692000000}'),
    ).toEqual([{ next: [1767225600000, 1798761600000] }, { next: [] }]);
  });

  it('answers bad lines with an error and goes on', async () => {
    const bad = [
      'nonsense',
      '[]',
      'null',
      '{}',
      '{"expr":5}',
      '{"expr":"daily","tz":5}',
      '{"expr":"daily","tz":"Nowhere"}',
      '{"expr":"daily","from":"now"}',
      '{"expr":"daily","from":1.5}',
      '{"expr":"daily","from":1e300}',
      '{"expr":"daily","from":null}',
      '{"expr":"daily","n":0}',
      '{"expr":"daily","n":1001}',
      '{"expr":"never ever"}',
      `{"expr":"${'x'.repeat(70_000)}"}`,
    ];
    const answers = await ask(...bad, '{"expr":"daily","n":1}');
    expect(answers).toHaveLength(bad.length + 1);
    for (const answer of answers.slice(0, -1)) expect(answer).toEqual({ error: expect.any(String) });
    expect(answers.at(-1)).toEqual({ next: [Date.parse('2026-03-29T00:00:00Z')] });
  });

  it('puts lines together that arrive in pieces, characters cut in two included', async () => {
    const bytes = new TextEncoder().encode('{"expr":"daily","note":"ā"}\n{"expr":"daily"}');
    const pieces = Array.from(bytes, (_, index) => bytes.slice(index, index + 1));
    const { out } = await run({ expr: '-' }, pieces);
    expect(out.trimEnd().split('\n')).toHaveLength(2);
    expect(out).not.toContain('error');
  });
});
