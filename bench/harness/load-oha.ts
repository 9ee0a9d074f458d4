/** Load by `oha` (1.9 or later), which takes paths by chance. Invariant: what it aborts at its end is no failure. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputOf } from './children.ts';
import type { FiledLoad, Loaded } from './generator.ts';
import { watchCpu } from './watch-cpu.ts';

interface Report {
  readonly summary: { readonly requestsPerSec: number };
  /** Seconds. */
  readonly latencyPercentiles: Readonly<Record<'p50' | 'p90' | 'p99' | 'p99.9', number>>;
  readonly statusCodeDistribution: Readonly<Record<string, number>>;
}

export async function withOha(load: FiledLoad): Promise<Loaded> {
  const { pid, text } = outputOf('oha', ohaArgs(load));
  const cpu = watchCpu(pid);
  const report = readOha(await text);
  return { ...report, cpu: cpu() };
}

function ohaArgs({ url, pathsFile, dir, ...load }: FiledLoad): string[] {
  const urls = join(dir, 'urls');
  writeFileSync(urls, readFileSync(pathsFile, 'utf8').replace(/^\//gm, `${url}/`));
  const body = join(dir, 'body');
  writeFileSync(body, load.body ?? '');
  return [
    '--no-tui',
    ...['--output-format', 'json'],
    ...['-z', `${load.seconds}s`],
    ...['-c', `${load.connections}`],
    ...['-m', load.method ?? 'GET'],
    ...(load.body ? ['-D', body] : []),
    '--urls-from-file',
    urls,
  ];
}

export function readOha(text: string): Loaded {
  const report: Report = JSON.parse(text);
  const statuses = Object.entries(report.statusCodeDistribution);
  const count = (wanted: (status: string) => boolean): number =>
    statuses.reduce((sum, [status, times]) => sum + (wanted(status) ? times : 0), 0);
  const { p50, p90, p99, 'p99.9': p999 } = report.latencyPercentiles;
  return {
    perSecond: report.summary.requestsPerSec,
    p50Ms: p50 * 1000,
    p90Ms: p90 * 1000,
    p99Ms: p99 * 1000,
    p999Ms: p999 * 1000,
    cpu: Number.NaN,
    requests: count(() => true),
    errors: count((status) => !status.startsWith('2')),
  };
}
