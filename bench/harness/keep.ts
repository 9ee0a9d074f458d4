/**
 * Results on disk: `bench/results/<date>-<commit>.json`, the plots beside it, and `bench/RESULTS.md` made of them.
 * Invariant: a run of some benches replaces these alone in what was kept of the same day and commit; a profiled one adds
 * its CPU profile, and figures only where there are none.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding, Kept } from './findings.ts';
import { withJournalTable } from './journal-table.ts';
import { drawPlot } from './plot.ts';
import { reportOf } from './report.ts';

/** Where results go, and the names of all benches in their order. */
export interface ResultsPlace {
  readonly benchDir: string;
  readonly order: readonly string[];
}

/** Returns the file that was written. */
export function keep({ benchDir, order }: ResultsPlace, kept: Kept): string {
  const dir = join(benchDir, 'results');
  mkdirSync(dir, { recursive: true });
  const stem = `${kept.date}-${kept.machine.commit}`;
  const file = join(dir, `${stem}.json`);
  const all = { ...kept, findings: merged(earlier(file), kept.findings, order) };
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
  for (const plot of all.findings.flatMap(({ plots }) => plots ?? [])) {
    writeFileSync(join(dir, `${stem}-${plot.name}.svg`), drawPlot(plot));
  }
  writeFileSync(join(benchDir, 'RESULTS.md'), reportOf(all, `results/${stem}`));
  const readme = join(benchDir, '..', 'README.md');
  if (existsSync(readme)) writeFileSync(readme, withJournalTable(readFileSync(readme, 'utf8'), all));
  return file;
}

function earlier(file: string): readonly Finding[] {
  if (!existsSync(file)) return [];
  const kept: Kept = JSON.parse(readFileSync(file, 'utf8'));
  return kept.findings;
}

function merged(old: readonly Finding[], fresh: readonly Finding[], order: readonly string[]): Finding[] {
  return order.flatMap((name) => {
    const isIt = ({ bench }: Finding): boolean => bench === name;
    const [before, now] = [old.find(isIt), fresh.find(isIt)];
    // What a profiled run measures is slowed down by that: its CPU profile joins the figures that are there.
    const { profile, servers = [] } = now ?? {};
    const finding = before && profile ? { ...before, profile, servers } : (now ?? before);
    return finding ? [finding] : [];
  });
}
