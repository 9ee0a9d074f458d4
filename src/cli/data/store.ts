/**
 * `knell store` checks the data directory, and continues with the rest of a damaged one.
 * Invariant: nothing is changed without confirmation: typed at a terminal, or `--yes`.
 */

import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import { systemClock } from '../../lib/clock.ts';
import { KnellError } from '../../lib/errors.ts';
import type { Flags } from '../io/flags.ts';
import type { CommandTools } from '../io/owner-command.ts';
import { show } from '../io/show.ts';
import { exitDone, exitFailed, print } from '../io/terminal.ts';
import { typedAnswer } from '../io/typed-answer.ts';

export function addStore(program: Command, { finish, onData, configOf }: CommandTools): void {
  const group = program
    .command('store')
    .description('check or repair the data directory, while Knell is stopped');
  onData(group.command('check').description('read everything and report what is damaged'))
    .addHelpText('after', '\nExit status 0: nothing is damaged. 1: something is. Nothing is changed.')
    .action(async (flags: Flags) => finish(await check(configOf(flags), flags)));
  onData(group.command('salvage').description('repair: continue with what is left of a damaged journal'))
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      '\nLists what is lost, then folds the rest into the history. The damaged files are kept in damaged-… in the data directory.',
    )
    .action(async (flags: Flags) => finish(await salvage(configOf(flags), flags)));
}

async function check({ dataDir }: Config, flags: Flags): Promise<number> {
  const { checkStore } = await import('../../store/repair/check-store.ts');
  const report = await checkStore(dataDir);
  show(flags, { whole: report.isWhole, parts: report.parts }, ({ parts }) => {
    for (const { part, holds, damage } of parts) {
      print(`${part}: ${damage.length === 0 ? 'ok' : 'DAMAGED'}; ${holds}`);
      for (const sentence of damage) print(`  ${sentence}`);
    }
  });
  return report.isWhole ? exitDone : exitFailed;
}

async function salvage({ dataDir, bodyBudgetBytes }: Config, flags: Flags): Promise<number> {
  const { salvage: salvageStore } = await import('../../store/repair/salvage.ts');
  const nowMs = systemClock.nowMs();
  const salvaged = await salvageStore({
    dataDir,
    bodyBudgetBytes,
    nowMs,
    agree: (lost) => agree(lost, flags),
  });
  if (salvaged === null) throw new KnellError('usage', 'nothing was changed');
  return show(flags, salvaged, ({ batches, keptIn }) => {
    print(`salvaged: ${batches} batches are now in the history`);
    if (keptIn !== null) print(`the damaged journal is kept in ${keptIn}`);
    print('start Knell again: knell serve');
  });
}

async function agree(lost: readonly string[], flags: Flags): Promise<boolean> {
  process.stderr.write('This will be lost, with the pings and changes in it:\n');
  for (const sentence of lost) process.stderr.write(`  ${sentence}\n`);
  if (flags.yes === true) return true;
  if (!process.stdin.isTTY)
    throw new KnellError('usage', 'nothing was changed; add --yes to continue without it');
  return (await typedAnswer('Continue without it? Type yes: ')) === 'yes';
}
