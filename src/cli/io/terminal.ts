/**
 * The output of the commands: results go to stdout, everything else to stderr, and an error is one line.
 */

import { systemClock } from '../../lib/clock.ts';
import { KnellError, messageOf, systemCode } from '../../lib/errors.ts';

export const exitDone = 0;
export const exitFailed = 1;
export const exitUsage = 2;

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value));
}

/** Calls `act` if the reader of stdout closes it early, as `head` does: that is no error of Knell. */
export function onStdoutClosed(act: () => void): void {
  process.stdout.on('error', (error) => {
    if (systemCode(error) !== 'EPIPE') throw error;
    act();
  });
}

/** Prints one line to stderr. */
export function warn(message: string): void {
  process.stderr.write(`knell: ${message.replaceAll('\n', ' ')}\n`);
}

/** Prints an error in one line and returns its exit status. */
export function fail(error: unknown): number {
  warn(messageOf(error));
  return error instanceof KnellError && error.code === 'usage' ? exitUsage : exitFailed;
}

/** Prints rows as aligned columns under their names; nothing for no rows. */
export function printTable(rows: readonly Readonly<Record<string, string | number | boolean>>[]): void {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (names.length === 0) return;
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => cellOf(row[name]).length)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  print(line(names.map((name) => name.toUpperCase())));
  for (const row of rows) print(line(names.map((name) => cellOf(row[name]))));
}

/** Escapes characters that would break the row or control the terminal: names and errors are foreign text. */
function cellOf(value: string | number | boolean | undefined): string {
  return String(value ?? '').replace(/\p{Cc}/gu, writtenOut);
}

/** Escapes a control character as JSON does, and DEL and the controls of Latin-1 too, which JSON leaves. */
function writtenOut(control: string): string {
  const escaped = JSON.stringify(control).slice(1, -1);
  return escaped === control ? `\\u00${control.charCodeAt(0).toString(16)}` : escaped;
}

/** A line on stderr that says how far a long piece of work is, until something is printed; silent where stderr is no terminal. */
export class StatusLine {
  readonly #startedMs = systemClock.nowMs();
  #shown = 0;

  show(text: string): void {
    if (!process.stderr.isTTY || systemClock.nowMs() - this.#startedMs < barAfterMs) return;
    this.clear();
    const line = `… ${text}`.slice(0, (process.stderr.columns ?? 80) - 1);
    this.#shown = line.length;
    process.stderr.write(line);
  }

  clear(): void {
    if (this.#shown > 0) process.stderr.write(`\r${' '.repeat(this.#shown)}\r`);
    this.#shown = 0;
  }
}

const barWidth = 30;
const barAfterMs = 1000;

/** A progress bar on stderr for work that takes over a second; silent where stderr is no terminal. */
export class ProgressBar {
  readonly #label: string;
  readonly #startedMs = systemClock.nowMs();
  #shown = false;

  constructor(label: string) {
    this.#label = label;
  }

  /** Shows the progress. `fraction` is from 0 to 1. */
  update(fraction: number): void {
    if (!process.stderr.isTTY || systemClock.nowMs() - this.#startedMs < barAfterMs) return;
    this.#shown = true;
    const done = Math.round(Math.min(1, fraction) * barWidth);
    const bar = `${'█'.repeat(done)}${'░'.repeat(barWidth - done)}`;
    process.stderr.write(`\r${this.#label} ${bar} ${Math.round(fraction * 100)} %`);
  }

  end(): void {
    if (this.#shown) process.stderr.write('\n');
  }
}
