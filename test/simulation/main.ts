/**
 * `npm run test:simulation -- --seeds N [--seed S]`: N lives from seed S on, over all cores. Without `--seeds`, `--seed S` is
 * that one alone. Says how far it is; at the first promise that is broken prints what happened and how to run it again.
 * Invariant: exit status 0 only when every seed was lived to its end.
 */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Block, LifeKind, Lived } from './run.ts';

const blockSize = 10;
const seedsDefault = 200;
const reportEveryMs = 5000;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    seed: { type: 'string' },
    cluster: { type: 'boolean', default: false },
    alerting: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const flags = (['cluster', 'alerting'] as const).filter((flag) => values[flag]);
const kind = (flags.join(' ') || 'single') as LifeKind;

if (values.help)
  process.stdout.write('usage: npm run test:simulation -- [--cluster] [--alerting] [--seeds N] [--seed S]\n');
else await runAll(count('seed', 1), count('seeds', values.seed === undefined ? seedsDefault : 1));

function count(name: 'seed' | 'seeds', otherwise: number): number {
  const text = values[name] ?? String(otherwise);
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  process.stderr.write(`--${name} must be a whole number from 1 on, not ${text}\n`);
  process.exit(2);
}

async function runAll(first: number, seeds: number): Promise<void> {
  const startMs = performance.now();
  const done = { seeds: 0, pings: 0, steps: 0 };
  let next = first;
  let isFailed = false;
  const took = (): string => `${((performance.now() - startMs) / 1000).toFixed(0)} s`;
  const progress = setInterval(() => {
    process.stderr.write(`${done.seeds} of ${seeds} seeds, ${took()}\n`);
  }, reportEveryMs);
  const nextBlock = (): Block | null => {
    if (isFailed || next >= first + seeds) return null;
    const block = {
      first: next,
      count: Math.min(blockSize, first + seeds - next),
      kind,
    };
    next += block.count;
    return block;
  };
  const lived = (result: Lived): void => {
    done.seeds += result.seeds;
    done.pings += result.pings;
    done.steps += result.steps;
    if (result.failure === null) return;
    isFailed = true;
    const seed = /^seed (\d+)/.exec(result.failure)?.[1];
    process.stdout.write(
      `${result.failure}\n\nrun it again: npm run test:simulation -- ${flags.map((flag) => `--${flag} `).join('')}--seed ${seed}\n\n`,
    );
  };
  const processes = Math.min(availableParallelism(), Math.ceil(seeds / blockSize));
  const ends = await Promise.all(Array.from({ length: processes }, () => worker(nextBlock, lived)));
  clearInterval(progress);
  if (ends.some((code) => code !== 0)) isFailed = true;
  process.stdout.write(
    `${isFailed ? 'FAILED' : 'ok'}: ${done.seeds} of ${seeds} seeds, ${done.pings} pings, ` +
      `${done.steps} events, ${took()}\n`,
  );
  process.exitCode = isFailed ? 1 : 0;
}

/** One process; resolves to its exit status when there are no more blocks. */
function worker(nextBlock: () => Block | null, lived: (result: Lived) => void): Promise<number> {
  const child = fork(fileURLToPath(new URL('./run.js', import.meta.url)));
  const goOn = (): void => {
    const block = nextBlock();
    if (block) child.send(block);
    else child.disconnect();
  };
  child.on('message', (result: Lived) => {
    lived(result);
    goOn();
  });
  goOn();
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
}
