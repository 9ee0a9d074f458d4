/**
 * The results of a run: those that its ping gave, and those that rules find in its output. Not here: how a pattern matches
 * (`match-pattern`) and what a number is (`read-number`).
 * Invariant: pure; the last line that matches counts, since summaries come last; every result is finite.
 */
import { givenResultsMax, resultStepsMax } from '../limits.ts';
import { matchLine, readPattern, type Steps } from './match-pattern.ts';
import { presetFigure } from './presets.ts';
import { converted, numberAt, wholeNumber } from './read-number.ts';
import { type ReadOutput, readOutput } from './read-output.ts';
import type { Result, ResultRule, ResultSource } from './result.ts';

/**
 * First those given, at most `givenResultsMax`, in the order of their first mention and with the value of the last; then those that
 * rules find, in the order of rules. `output`: the body of an HTTP ping, or the texts of a mail.
 */
export function findResults(
  rules: readonly ResultRule[],
  given: readonly Result[],
  output: Uint8Array | readonly string[],
): readonly Result[] {
  const results = new Map<string, number>();
  for (const { name, value } of given) {
    const isTaken = Number.isFinite(value) && (results.has(name) || results.size < givenResultsMax);
    if (isTaken) results.set(name, value);
  }
  const open = rules.filter(({ name }) => !results.has(name));
  if (open.length > 0) {
    const read = readOutput(output);
    for (const rule of open) {
      const value = ruleValue(rule, read);
      if (value !== null && Number.isFinite(value)) results.set(rule.name, value);
    }
  }
  return [...results].map(([name, value]) => ({ name, value }));
}

/** A number as it was printed. */
interface Printed {
  readonly value: number;
  readonly unit: string;
}

function ruleValue({ name, unit, source }: ResultRule, output: ReadOutput): number | null {
  if (source.kind === 'preset') return presetValue(source, unit, output);
  const found = source.kind === 'line' ? lineNumber(name, output) : sourceNumber(source, output);
  return found === null ? null : converted(found.value, found.unit, unit);
}

/** Also without a unit of the rule, the number comes in that of the figure. */
function presetValue(
  { program, figure: name }: ResultSource & { readonly kind: 'preset' },
  unit: string,
  output: ReadOutput,
): number | null {
  const figure = presetFigure(program, name);
  for (const source of figure?.sources ?? []) {
    const found = sourceNumber(source, output);
    if (figure === null || found === null) continue;
    const value = converted(found.value, found.unit, figure.unit, figure.is1024);
    return converted(value, figure.unit, unit);
  }
  return null;
}

function sourceNumber(
  source: Extract<ResultSource, { readonly kind: 'pointer' | 'pattern' | 'count' }>,
  output: ReadOutput,
): Printed | null {
  if (source.kind === 'pointer') return pointerNumber(source.pointer, output.json());
  const pattern = readPattern(source.pattern);
  const steps: Steps = { left: resultStepsMax };
  let count = 0;
  for (const line of output.lines) {
    if (steps.left <= 0) break;
    const match = matchLine(pattern, line, steps);
    if (match === null) continue;
    if (source.kind === 'pattern' && match !== 'no number') return match;
    count++;
  }
  return source.kind === 'count' ? { value: count, unit: '' } : null;
}

/** A word that is no unit, such as `rows`, may come after the number, but nothing else. */
function lineNumber(name: string, output: ReadOutput): Printed | null {
  for (const { text: line } of output.lines) {
    if (!line.startsWith(name)) continue;
    const sign = afterBlank(line, name.length);
    if (line[sign] !== '=' && line[sign] !== ':') continue;
    const number = numberAt(line, afterBlank(line, sign + 1));
    if (number !== null && /^(?: [A-Za-z]\S{0,15})?$/.test(line.slice(number.unitEnd))) return number;
  }
  return null;
}

function afterBlank(line: string, at: number): number {
  return line.charCodeAt(at) === 32 ? at + 1 : at;
}

/** Also of a text that is a number, with a unit or without. */
function pointerNumber(pointer: string, json: unknown): Printed | null {
  let value = json;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null;
    if (Array.isArray(value) && !/^\d+$/.test(key)) return null;
    value = Reflect.get(value, key);
  }
  if (typeof value === 'number') return { value: value === 0 ? 0 : value, unit: '' };
  return typeof value === 'string' ? wholeNumber(value) : null;
}
