/** What a run says while it goes on and when a bench is done. Invariant: the bar leaves nothing behind. */
import { type Bench, type Figure, type Found, reached, type Target } from './bench.ts';
import { type ServerShares, shareRows } from './profile-shares.ts';

const barWidth = 30;

/** How far one bench is, on stderr. */
export interface Progress {
  /** 0..1: called after each measurement. */
  show(fraction: number): void;
  end(): void;
}

/** On a terminal a bar; otherwise a line when the bench begins and one for each measurement, so that no run looks like a hang. */
export function createProgress(name: string): Progress {
  return process.stderr.isTTY ? bar(name) : lines(name);
}

function bar(name: string): Progress {
  return {
    show(fraction) {
      const done = Math.round(Math.min(1, fraction) * barWidth);
      const drawn = `${'█'.repeat(done)}${'░'.repeat(barWidth - done)}`;
      process.stderr.write(`\r\x1b[K${name} ${drawn} ${percentOf(fraction)} %`);
    },
    end: () => void process.stderr.write('\r\x1b[K'),
  };
}

function lines(name: string): Progress {
  const startedMs = performance.now();
  let last = 0;
  process.stderr.write(`${name}: begins\n`);
  return {
    show(fraction) {
      const percent = percentOf(fraction);
      if (percent <= last) return;
      last = percent;
      const seconds = Math.round((performance.now() - startedMs) / 1000);
      process.stderr.write(`${name}: ${percent} % after ${seconds} s\n`);
    },
    end() {},
  };
}

function percentOf(fraction: number): number {
  return Math.round(Math.min(1, fraction) * 100);
}

export function printTable(
  { name, about }: Pick<Bench, 'name' | 'about'>,
  { figures, load, skipped }: Found,
): void {
  process.stdout.write(`\n${name}: ${about}${load === undefined ? '' : ` (load: ${load})`}\n`);
  if (skipped !== undefined) process.stdout.write(`  skipped: ${skipped}\n`);
  const widest = Math.max(...figures.map((figure) => figure.name.length));
  for (const figure of figures) {
    const verdict = { true: 'ok', false: 'MISSED', null: '' }[String(reached(figure))] ?? '';
    const cells = [
      figure.name.padEnd(widest),
      shown(figure.value).padStart(10),
      figure.unit.padEnd(4),
      rangeOf(figure).padEnd(19),
      targetText(figure.target).padEnd(10),
      verdict.padEnd(6),
      figure.note ?? '',
    ];
    process.stdout.write(`  ${cells.join(' ').trimEnd()}\n`);
  }
}

/** Nothing where nothing was profiled. */
export function printShares(servers: readonly ServerShares[]): void {
  if (servers.length === 0) return;
  const rows = [['', ...servers.map(({ server }) => server)], ...shareRows(servers)];
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  process.stdout.write('  where the busy time of the main threads goes:\n');
  for (const [part = '', ...cells] of rows) {
    const padded = cells.map((cell, at) => cell.padStart(widths[at + 1] ?? 0));
    process.stdout.write(`    ${[part.padEnd(widths[0] ?? 0), ...padded].join('  ')}\n`);
  }
}

/** JSON knows no NaN: what was kept comes back as null. */
export function shown(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '–';
  return Math.abs(value) >= 100 ? String(Math.round(value)) : value.toFixed(2);
}

export function rangeOf({ min, max }: Figure): string {
  return min === undefined || max === undefined ? '' : `${shown(min)} … ${shown(max)}`;
}

export function targetText(target: Target | undefined): string {
  if (target?.atLeast !== undefined) return `≥ ${target.atLeast}`;
  return target?.atMost === undefined ? '' : `≤ ${target.atMost}`;
}
