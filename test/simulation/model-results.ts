/**
 * The numbers of one check of the model: which rules there may be, what they find, what their limits make of a success, and what is
 * usual. Invariant: pure; shares no code with the engine.
 */
import type { CheckConfig } from '../../src/domain/check/check.ts';
import type { Signal } from '../../src/domain/check/ping.ts';

export interface ModelNumber {
  readonly name: string;
  readonly value: number;
}

interface ModelLimit {
  readonly kind: 'below' | 'above' | 'change' | 'missing';
  readonly value: number;
  readonly then: 'warn' | 'fail';
}

interface ModelRule {
  readonly name: string;
  readonly limits: readonly ModelLimit[];
}

const below = (value: number, then: ModelLimit['then']): ModelLimit => ({ kind: 'below', value, then });
const above = (value: number, then: ModelLimit['then']): ModelLimit => ({ kind: 'above', value, then });
const change = (value: number, then: ModelLimit['then']): ModelLimit => ({ kind: 'change', value, then });
const missing = (then: ModelLimit['then']): ModelLimit => ({ kind: 'missing', value: 0, then });

/** As an owner writes them, and what they mean. */
const rules: Readonly<Record<string, readonly ModelRule[]>> = {
  '': [],
  'files: below 20': [{ name: 'files', limits: [below(20, 'fail')] }],
  'files: above 80 warns\nrows: missing warns, below 3': [
    { name: 'files', limits: [above(80, 'warn')] },
    { name: 'rows', limits: [missing('warn'), below(3, 'fail')] },
  ],
  'files: change 50% warns': [{ name: 'files', limits: [change(0.5, 'warn')] }],
  'files: change 30%, below 5 warns\nrows': [
    { name: 'files', limits: [change(0.3, 'fail'), below(5, 'warn')] },
    { name: 'rows', limits: [] },
  ],
};

export const ruleTexts = Object.keys(rules);

function rulesOf({ results }: CheckConfig): readonly ModelRule[] {
  const found = rules[results];
  if (!found) throw new Error(`the model does not know the rules ${results}`);
  return found;
}

/** Of an end: the numbers of its address, and those that rules find as `name: number` in what it printed. */
function reported(
  config: CheckConfig,
  given: readonly ModelNumber[],
  output: string,
): readonly ModelNumber[] {
  const found = rulesOf(config).flatMap(({ name }): readonly ModelNumber[] => {
    if (given.some((one) => one.name === name)) return [];
    const lines = output.split('\n').filter((line) => line.startsWith(`${name}: `));
    const last = lines.at(-1);
    return last === undefined ? [] : [{ name, value: Number(last.slice(name.length + 2)) }];
  });
  return [...given, ...found];
}

export interface ModelBreach {
  readonly verdict: 'warn' | 'fail';
  /** Name, kind of limit, value, limit, median of the usual; what is not there is null. */
  readonly about: readonly (string | number | null)[];
}

/** Values of the last good runs by name; never changed in place. */
export type Learned = Readonly<Record<string, readonly number[]>>;

/** The first of the worst; null when every limit holds. */
function breachOf(
  config: CheckConfig,
  numbers: readonly ModelNumber[],
  learned: Learned,
): ModelBreach | null {
  const broken = rulesOf(config).flatMap(({ name, limits }) => {
    const value = numbers.find((one) => one.name === name)?.value ?? null;
    const median = medianOf(learned[name] ?? []);
    return limits
      .filter((limit) => isBroken(limit, value, median))
      .map(({ kind, then, value: bound }) => ({
        verdict: then,
        about: [name, kind, value, kind === 'missing' ? null : bound, median],
      }));
  });
  return broken.find(({ verdict }) => verdict === 'fail') ?? broken[0] ?? null;
}

function isBroken({ kind, value: bound }: ModelLimit, value: number | null, median: number | null): boolean {
  if (value === null) return kind === 'missing';
  if (kind === 'below') return value < bound;
  if (kind === 'above') return value > bound;
  return kind === 'change' && median !== null && Math.abs(value - median) > bound * Math.abs(median);
}

const learnedFrom = 5;
const learnedMax = 30;

function medianOf(values: readonly number[]): number | null {
  if (values.length < learnedFrom) return null;
  const sorted = values.toSorted((one, other) => one - other);
  const [low = 0, high = 0] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.ceil((sorted.length - 1) / 2)],
  ];
  return (low + high) / 2;
}

/** After a good run: only names that have a rule now. */
function learnedAfter(config: CheckConfig, numbers: readonly ModelNumber[], learned: Learned): Learned {
  const next = rulesOf(config).map(({ name }): [string, readonly number[]] => {
    const value = numbers.find((one) => one.name === name)?.value;
    return [name, [...(learned[name] ?? []), ...(value === undefined ? [] : [value])].slice(-learnedMax)];
  });
  return Object.fromEntries(next.filter(([, values]) => values.length > 0));
}

interface AskedPing {
  readonly meant: Signal;
  /** Numbers of its address. */
  readonly results: readonly ModelNumber[];
  readonly body: string;
}

interface Judged {
  readonly taken: Signal;
  readonly results: readonly ModelNumber[];
  readonly breach: ModelBreach['about'] | null;
  readonly learned: Learned;
}

/** What a ping is taken for, what is stored of its numbers, and what is usual after it. */
export function judged(config: CheckConfig, { meant, ...asked }: AskedPing, learned: Learned): Judged {
  const isEnd = meant === 'success' || meant === 'fail' || meant === 'warn';
  const results = isEnd ? reported(config, asked.results, asked.body) : asked.results;
  const breach = meant === 'success' ? breachOf(config, results, learned) : null;
  const taken = breach?.verdict ?? meant;
  const after = taken === 'success' ? learnedAfter(config, results, learned) : learned;
  return { taken, results, breach: breach?.about ?? null, learned: after };
}
