/**
 * Durable mails a second, beside a bare smtp-server that drops what it takes: the same load, in turns, in one run.
 * Wanted: at least 0.6 of it. `--smoke`: a few mails, to see that it works.
 */
import { mailClient, pour } from './mail-load.ts';
import { startBare, startKnell, type Target } from './servers.ts';

const isSmoke = process.argv.includes('--smoke');
const rounds = isSmoke ? 1 : 5;
const load = isSmoke ? { connections: 4, mails: 40 } : { connections: 32, mails: 8000 };

interface Contender {
  readonly name: string;
  readonly target: Target;
  readonly rates: number[];
}

const contenders: Contender[] = [];
for (const [name, target] of [
  ['bare smtp-server, mails dropped', await startBare()],
  ['Knell', await startKnell(false)],
  ['Knell, every mail read for keywords', await startKnell(true)],
] as const) {
  contenders.push({ name, target, rates: [] });
}

// A first round, not counted: code is compiled while it runs.
for (let round = 0; round <= rounds; round++) {
  for (const { target, rates } of contenders) {
    const rate = await pour(target.smtp, target.recipient, load);
    if (round > 0 || isSmoke) rates.push(rate);
  }
}
for (const { target } of contenders) await target.stop();

function median(rates: readonly number[]): number {
  return [...rates].sort((a, b) => a - b)[Math.floor(rates.length / 2)] ?? 0;
}

const [bare] = contenders;
console.log(
  `${load.mails} mails of 1 kB over ${load.connections} connections, ${mailClient}, median of ${rounds}`,
);
for (const { name, rates } of contenders) {
  const ratio = median(rates) / median(bare?.rates ?? []);
  console.log(`${name}: ${median(rates).toFixed(0)} mails/s, ratio ${ratio.toFixed(2)}`);
}
