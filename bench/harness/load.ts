/**
 * Load on a server: `wrk` where it is on the PATH, else a generator of the suite's own in a second process. A fixed rate
 * is always the own one's: `wrk` has none.
 * Invariant: requests go round the given paths in turn, and what is not a 2xx is counted and told.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Load {
  readonly url: string;
  readonly paths: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** Requests a second, offered whatever comes back. Absent: as many as the connections take. */
  readonly rate?: number;
}

export interface Loaded {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p90Ms: number;
  readonly p99Ms: number;
  /** NaN where the generator does not tell. */
  readonly p999Ms: number;
  /** Of one core, that the generator itself used; NaN where it is not known. At 0.9 it is the bottleneck. */
  readonly cpu: number;
  readonly requests: number;
  readonly errors: number;
}

export const generator: 'wrk' | 'own' =
  spawnSync('wrk', ['--version'], { stdio: 'ignore' }).error === undefined ? 'wrk' : 'own';

export function applyLoad(load: Load): Promise<Loaded> {
  return generator === 'wrk' && load.rate === undefined ? withWrk(load) : withOwn(load);
}

async function withWrk({ url, paths, connections, seconds }: Load): Promise<Loaded> {
  const dir = mkdtempSync(join(tmpdir(), 'knell-wrk-'));
  const script = join(dir, 'paths.lua');
  writeFileSync(script, luaOf(paths));
  const args = ['-t1', `-c${connections}`, `-d${seconds}`, '--latency', '-s', script, url];
  const report = await output('wrk', args);
  rmSync(dir, { recursive: true });
  const number = (pattern: RegExp): number => Number(pattern.exec(report)?.[1] ?? 0);
  return {
    perSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p50Ms: milliseconds(/50%\s+([\d.]+)(us|ms|s)/.exec(report)),
    p90Ms: milliseconds(/90%\s+([\d.]+)(us|ms|s)/.exec(report)),
    p99Ms: milliseconds(/99%\s+([\d.]+)(us|ms|s)/.exec(report)),
    p999Ms: Number.NaN,
    cpu: Number.NaN,
    requests: number(/(\d+) requests in/),
    errors: number(/Non-2xx or 3xx responses: (\d+)/) + number(/Socket errors:.*timeout (\d+)/),
  };
}

function luaOf(paths: readonly string[]): string {
  const list = paths.map((path) => JSON.stringify(path)).join(',');
  return `local paths={${list}}\nlocal at=0\nrequest=function() at=at%#paths+1; return wrk.format("GET",paths[at]) end\n`;
}

function milliseconds(match: RegExpExecArray | null): number {
  const factor: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000 };
  return Number(match?.[1] ?? Number.NaN) * (factor[match?.[2] ?? 'ms'] ?? 1);
}

async function withOwn(load: Load): Promise<Loaded> {
  const worker = fileURLToPath(new URL('./generate.js', import.meta.url));
  return JSON.parse(await output(process.execPath, [worker], JSON.stringify(load)));
}

function output(program: string, args: readonly string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    child.once('error', reject);
    child.once('exit', () => resolve(text));
    child.stdin.end(input);
  });
}
