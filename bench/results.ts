/**
 * How long a ping's results take to find, at worst: random and adversarial outputs of 100 kB, under ten rules of each source. It is
 * work between a ping's arrival and its answer. A case that is worse than all before it counts with the fastest of its rounds, so that
 * what is reported is the work and not the machine; the worst of all cases is what has the target.
 */
import { findResults } from '../src/domain/results/find-results.ts';
import { presetNames } from '../src/domain/results/presets.ts';
import { readResultRules } from '../src/domain/results/result-rules.ts';
import type { Context, Figure, Found, Size } from './harness/bench.ts';
import { sink } from './harness/micro.ts';
import { percentile } from './harness/numbers.ts';
import { randomOf, suiteSeed } from './harness/random.ts';

/** Random cases, besides those that are written down, and rounds of each that is the worst so far. */
const plans: Readonly<Record<Size, { readonly cases: number; readonly rounds: number }>> = {
  smoke: { cases: 2, rounds: 1 },
  quick: { cases: 40, rounds: 7 },
  normal: { cases: 1000, rounds: 5 },
  full: { cases: 100_000, rounds: 5 },
};

const bodyBytes = 100_000;
const rulesOfCase = 10;
const worstMsTarget = 5;

/** What repeated holds up a search that is not linear, or JSON. */
const adversarial = ['a', 'a\n', '\n', ' \n', 'a1', '1 ', '[', '{"a":', '{x}\n', '[1]\n', '\u001b[', 'a: \n'];
const sources = [
  ...['', 'from /a/0', 'from "{_}a{}b"', 'from "a*a*a*{}b"', 'from "{}b"', 'from count "ab"'],
  `from "${'a'.repeat(190)}b{}"`,
];
const pieces = [
  'a',
  'b',
  '1',
  '1,000',
  '-',
  ' ',
  '\n',
  '{"a":1}\n',
  '[',
  ']',
  ': ',
  '=',
  ' GB',
  'files',
  '\t',
];

interface Case {
  readonly about: string;
  readonly rules: string;
  readonly body: Uint8Array;
}

export async function run({ size, progress }: Context): Promise<Found> {
  const { cases, rounds } = plans[size];
  const times: number[] = [];
  let worst = { ms: 0, about: '' };
  for (const one of allCases(size, cases)) {
    const ms = fastest(one, rounds, worst.ms);
    times.push(ms);
    if (ms > worst.ms) worst = { ms, about: one.about };
    if (times.length % 100 === 0) progress(Math.min(1, times.length / cases));
  }
  progress(1);
  const figures: readonly Figure[] = [
    { name: 'cases', value: times.length, unit: '' },
    { name: 'median of all cases', value: percentile(times, 50), unit: 'ms' },
    { name: 'p99 of all cases', value: percentile(times, 99), unit: 'ms' },
    {
      name: 'the worst case',
      value: worst.ms,
      unit: 'ms',
      target: { atMost: worstMsTarget },
      note: `of ${worst.about}`,
    },
  ];
  return { figures };
}

/** One after the other: a hundred thousand outputs are 10 GB. */
function* allCases(size: Size, cases: number): Generator<Case> {
  yield* writtenCases(size === 'smoke' ? 1 : adversarial.length);
  yield* randomCases(cases);
}

/** One round is enough for what is below `worstMs`. */
function fastest({ rules, body }: Case, rounds: number, worstMs: number): number {
  const read = readResultRules(rules);
  let ms = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds && ms > worstMs; round++) {
    const begun = performance.now();
    sink.value = findResults(read, [], body);
    ms = Math.min(ms, performance.now() - begun);
  }
  return ms;
}

function rulesFrom(source: (at: number) => string): string {
  return Array.from({ length: rulesOfCase }, (_, at) => `a${at} ${source(at)}`).join('\n');
}

function* writtenCases(count: number): Generator<Case> {
  for (const text of adversarial.slice(0, count))
    for (const source of sources) {
      const body = Buffer.from(text.repeat(Math.ceil(bodyBytes / text.length)).slice(0, bodyBytes));
      const about = `${JSON.stringify(text)} again and again, ${source.slice(0, 20) || 'from a line'}`;
      // Within the characters that rules may have.
      const isLong = source.length > 100;
      yield { about, rules: rulesFrom((at) => (isLong && at > 7 ? '' : source)), body };
    }
}

function* randomCases(count: number): Generator<Case> {
  const random = randomOf(suiteSeed);
  const oneOf = (values: readonly string[]): string => values[Math.floor(random() * values.length)] ?? '';
  const every = [
    ...sources.filter((source) => source.length < 100),
    ...presetNames().map((name) => `from ${name}`),
  ];
  for (let at = 0; at < count; at++) {
    // Few of the pieces, so that they come often.
    const some = Array.from({ length: 1 + Math.floor(random() * 4) }, () => oneOf(pieces));
    let text = '';
    while (text.length < bodyBytes) text += oneOf(some);
    const about = `random case ${at}, of ${JSON.stringify(some)}`;
    yield { about, rules: rulesFrom(() => oneOf(every)), body: Buffer.from(text.slice(0, bodyBytes)) };
  }
}
