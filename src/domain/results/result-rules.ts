/**
 * The rules of a check's field `results`, one per line: `NAME [in UNIT] [from SOURCE] [: LIMIT {, LIMIT}]`. The manual has the grammar;
 * `match-pattern` has what a pattern matches. Not here: what the rules find (`find-results`).
 * Invariant: pure; of a line that is not valid there is no rule, and there are never more than `resultRulesMax`.
 */
import {
  resultPatternCharsMax,
  resultPointerCharsMax,
  resultRulesCharsMax,
  resultRulesMax,
  resultUnitCharsMax,
} from '../limits.ts';
import { isResultName, readDecimal } from './given-results.ts';
import { readPattern } from './match-pattern.ts';
import { presetFigure, presetFigures, presetPrograms } from './presets.ts';
import type { ResultLimit, ResultRule, ResultSource, ResultVerdict } from './result.ts';

interface Rules {
  readonly rules: readonly ResultRule[];
  /** Empty when all lines are right. */
  readonly error: string;
}

/** The rules that were asked for last: a job pings one check at a time, and checks of a project mostly have the same. */
let last = { text: '', parsed: parsed('') };

/** The rules of the lines that are valid. */
export function readResultRules(text: string): readonly ResultRule[] {
  return remembered(text).rules;
}

/** What is wrong with the first line that is not valid, as a sentence without a full stop; empty when there is none. */
export function resultRulesError(text: string): string {
  return remembered(text).error;
}

function remembered(text: string): Rules {
  if (last.text !== text) last = { text, parsed: parsed(text) };
  return last.parsed;
}

/** Ends the reading of a line with what is wrong with it. Never leaves this file. */
class LineError extends Error {}

function parsed(text: string): Rules {
  if (text.length > resultRulesCharsMax)
    return { rules: [], error: `these are ${text.length} characters; write at most ${resultRulesCharsMax}` };
  const rules: ResultRule[] = [];
  let error = '';
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    try {
      const rule = readLine(line.trim());
      if (rules.some(({ name }) => name === rule.name))
        throw new LineError(`"${rule.name}" has a rule already; write each name once`);
      if (rules.length === resultRulesMax)
        throw new LineError(`there are ${resultRulesMax} rules already; write no more`);
      rules.push(rule);
    } catch (problem) {
      if (!(problem instanceof LineError)) throw problem;
      error ||= `line ${index + 1}: ${problem.message}`;
    }
  }
  return { rules, error };
}

/** What is left of a line. */
interface Rest {
  text: string;
}

function readLine(line: string): ResultRule {
  const rest: Rest = { text: line };
  const name = takeWord(rest);
  if (!isResultName(name))
    throw new LineError(
      `"${shown(name)}" is no name; write a letter and at most 39 more letters, digits, "_", "." or "-"`,
    );
  const ownUnit = takeKeyword(rest, 'in') ? takeUnit(rest) : '';
  const source: ResultSource = takeKeyword(rest, 'from') ? takeSource(rest) : { kind: 'line' };
  // Without it an alert would say 8602618 instead of 8.6 MB.
  const unit = ownUnit || (source.kind === 'preset' ? presetUnit(source) : '');
  if (rest.text === '') return { name, unit, source, limits: [] };
  if (!rest.text.startsWith(':'))
    throw new LineError(
      `"${shown(rest.text)}" is not expected there; write "in UNIT", "from SOURCE" or ":" and limits, in this order`,
    );
  return { name, unit, source, limits: rest.text.slice(1).split(',').map(readLimit) };
}

function presetUnit({ program, figure }: ResultSource & { readonly kind: 'preset' }): string {
  return presetFigure(program, figure)?.unit ?? '';
}

/** Up to a blank, or to a colon before one or at the end: addresses within JSON may have colons. */
function takeWord(rest: Rest, end = /\s|:|$/): string {
  const at = rest.text.search(end);
  const word = rest.text.slice(0, at);
  rest.text = rest.text.slice(at).trimStart();
  return word;
}

function takeKeyword(rest: Rest, keyword: string): boolean {
  if (rest.text !== keyword && !/^\s/.test(rest.text.slice(keyword.length))) return false;
  if (!rest.text.startsWith(keyword)) return false;
  rest.text = rest.text.slice(keyword.length).trimStart();
  return true;
}

function takeUnit(rest: Rest): string {
  const unit = takeWord(rest);
  if (unit === '' || unit.length > resultUnitCharsMax)
    throw new LineError(
      `"${shown(unit)}" is no unit; write 1 to ${resultUnitCharsMax} characters without blanks and ":"`,
    );
  return unit;
}

function takeSource(rest: Rest): ResultSource {
  if (rest.text.startsWith('"')) return { kind: 'pattern', pattern: takePattern(rest, true) };
  if (rest.text.startsWith('/')) return { kind: 'pointer', pointer: takePointer(rest) };
  const program = takeWord(rest);
  if (program === 'count') {
    if (!rest.text.startsWith('"')) throw new LineError('after "count" comes a text in double quotes');
    return { kind: 'count', pattern: takePattern(rest, false) };
  }
  const figures = presetFigures(program);
  if (figures === null)
    throw new LineError(
      `"${shown(program)}" is no source; write /a/pointer, "a text with {}", count "a text", or a figure of ${presetPrograms().join(', ')}`,
    );
  const figure = takeWord(rest);
  if (!figures.includes(figure))
    throw new LineError(`"${shown(figure)}" is no figure of ${program}; write ${figures.join(', ')}`);
  return { kind: 'preset', program, figure };
}

function takePointer(rest: Rest): string {
  const pointer = takeWord(rest, /\s|:(?=\s|$)|$/);
  if (pointer.length > resultPointerCharsMax || /~(?![01])/.test(pointer))
    throw new LineError(
      `"${shown(pointer)}" is no JSON pointer; write at most ${resultPointerCharsMax} characters, with ~0 for "~" and ~1 for "/"`,
    );
  return pointer;
}

function takePattern(rest: Rest, needsNumber: boolean): string {
  let pattern = '';
  let at = 1;
  for (; rest.text[at] !== '"'; at++) {
    if (at >= rest.text.length) throw new LineError('a text in double quotes has no end; write " behind it');
    if (rest.text[at] === '\\' && (rest.text[at + 1] === '"' || rest.text[at + 1] === '\\')) at++;
    pattern += rest.text[at];
  }
  rest.text = rest.text.slice(at + 1).trimStart();
  if (pattern.length > resultPatternCharsMax)
    throw new LineError(
      `a text in double quotes has ${pattern.length} characters; write at most ${resultPatternCharsMax}`,
    );
  const { longest } = readPattern(pattern);
  if (longest.trim() === '')
    throw new LineError(`"${shown(pattern)}" would match any line; write some text of the line`);
  const numbers = pattern.split('{}').length - 1;
  if (needsNumber && numbers !== 1)
    throw new LineError(
      `"${shown(pattern)}" has ${numbers === 0 ? 'no' : 'more than one'} {}; write one where the number is`,
    );
  return pattern;
}

function readLimit(text: string): ResultLimit {
  const [kind = '', ...words] = text.trim().split(/\s+/);
  const then = takeThen(words);
  if (kind === 'missing') {
    if (words.length > 0)
      throw new LineError(
        `"${shown(text.trim())}" is no limit; write missing, missing warns or missing fails`,
      );
    return { kind, then };
  }
  if (kind !== 'below' && kind !== 'above' && kind !== 'change')
    throw new LineError(`"${shown(kind)}" is no limit; write below, above, change or missing`);
  const number = words.join('');
  if (kind !== 'change') {
    const value = readDecimal(number);
    if (value === null) throw new LineError(`"${shown(number)}" is no number; write one such as ${kind} 100`);
    return { kind, value, then };
  }
  const percent = number.endsWith('%') ? readDecimal(number.slice(0, -1)) : null;
  if (percent === null || percent / 100 <= 0)
    throw new LineError(`"${shown(number)}" is no change; write a percentage above 0 such as change 30%`);
  return { kind, value: percent / 100, then };
}

function takeThen(words: string[]): ResultVerdict {
  const word = words.at(-1);
  if (word !== 'warns' && word !== 'fails') return 'fail';
  words.pop();
  return word === 'warns' ? 'warn' : 'fail';
}

/** Enough of a text to find it. */
function shown(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
