/** Load by `wrk`, with one thread. Invariant: a request goes to each path in turn, as the file of paths has them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MB } from '../../src/lib/units.ts';
import { outputOf } from './children.ts';
import type { FiledLoad, Loaded } from './generator.ts';
import { watchCpu } from './watch-cpu.ts';

export async function withWrk(load: FiledLoad): Promise<Loaded> {
  const script = join(load.dir, 'paths.lua');
  writeFileSync(script, luaOf(load));
  const args = ['-t1', `-c${load.connections}`, `-d${load.seconds}`, '--latency', '-s', script, load.url];
  const { pid, text } = outputOf('wrk', args);
  const cpu = watchCpu(pid);
  const report = await text;
  const number = (pattern: RegExp): number => Number(pattern.exec(report)?.[1] ?? 0);
  return {
    perSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p50Ms: milliseconds(/50%\s+([\d.]+)(us|ms|s)/.exec(report)),
    p90Ms: milliseconds(/90%\s+([\d.]+)(us|ms|s)/.exec(report)),
    p99Ms: milliseconds(/99%\s+([\d.]+)(us|ms|s)/.exec(report)),
    p999Ms: Number.NaN,
    cpu: cpu(),
    requests: number(/(\d+) requests in/),
    errors: number(/Non-2xx or 3xx responses: (\d+)/) + number(/Socket errors:.*timeout (\d+)/),
  };
}

/** Beyond so many requests their bytes would take the memory that is measured: paths alone are kept. */
const preparedMax = 200_000;

/**
 * Requests are written out before the first is sent, so that Lua only picks one: a client that makes them up as it goes
 * takes 2 µs more for each, and is the bottleneck of a fast server.
 */
function luaOf({ pathsFile, pathCount, method = 'GET', body }: FiledLoad): string {
  const format = (path: string): string => `wrk.format("${method}", ${path}, nil, body)`;
  const isPrepared = pathCount <= preparedMax && pathCount * (body?.length ?? 0) <= 200 * MB;
  return [
    'local requests, count, at = {}, 0, 0',
    `local body = ${body === undefined ? 'nil' : JSON.stringify(body)}`,
    'init = function()',
    `  for path in io.lines(${JSON.stringify(pathsFile)}) do`,
    `    count = count + 1; requests[count] = ${isPrepared ? format('path') : 'path'}`,
    '  end',
    'end',
    `request = function() at = at % count + 1; return ${isPrepared ? 'requests[at]' : format('requests[at]')} end`,
  ].join('\n');
}

function milliseconds(match: RegExpExecArray | null): number {
  const factor: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000 };
  return Number(match?.[1] ?? Number.NaN) * (factor[match?.[2] ?? 'ms'] ?? 1);
}
