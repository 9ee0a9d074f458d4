/**
 * `knell apply` and `knell import knell` read the files, show the plan, ask, and carry it out step by step.
 * Invariants: nothing is changed before all files are valid and the plan was confirmed; the steps that were done stay done when a
 * later one fails, and applying again continues from there.
 */

import type { Desired } from '../../apply/desired.ts';
import { jsonSchema } from '../../apply/format.ts';
import { type Plan, planChanges } from '../../apply/plan.ts';
import { planLines, planSummary } from '../../apply/plan-text.ts';
import { problemText, readDesired } from '../../apply/read-desired.ts';
import { type Problem, yamlText } from '../../apply/yaml-node.ts';
import { passwordsOfCommand } from '../../commands/secrets/passwords.ts';
import type { Config } from '../../config.ts';
import { KnellError } from '../../lib/errors.ts';
import { holdsData } from '../../store/disk/data-dir.ts';
import { localCommands, type NamedCommands } from '../io/admin-client.ts';
import type { Flags } from '../io/flags.ts';
import { problemsPrintedMax } from '../io/limits.ts';
import { sessionFor } from '../io/remote-admin.ts';
import { exitDone, exitUsage, print, printJson, warn } from '../io/terminal.ts';
import { typedAnswer } from '../io/typed-answer.ts';
import { readFiles, secretsHere } from './apply-files.ts';
import { checkKeyFiles, runSteps } from './apply-steps.ts';
import { readConfiguration } from './configuration.ts';

export async function runApply(flags: Flags, config: () => Config): Promise<number> {
  if (flags.schema === true) {
    printJson(jsonSchema());
    return exitDone;
  }
  if (typeof flags.file !== 'string') throw new KnellError('usage', 'name the file: knell apply -f FILE');
  const desired = validDesired(flags.file);
  if (desired === null) return exitUsage;
  const session = sessionFor(flags, config);
  try {
    return await apply(session, desired, flags);
  } finally {
    await session.close();
  }
}

export async function runImportKnell(file: string, flags: Flags, config: Config): Promise<number> {
  const { dataDir } = config;
  if (holdsData(dataDir))
    throw new KnellError('data-dir-not-empty', `${dataDir} holds data already: use knell apply`);
  const desired = validDesired(file);
  if (desired === null) return exitUsage;
  if (flags.dryRun === true) {
    const plan = planOrNone(desired);
    await agreeTo(plan, flags);
    return plan.problems.length > 0 ? exitUsage : exitDone;
  }
  const session = localCommands(config, { creates: true });
  try {
    return await apply(session, desired, { ...flags, yes: true });
  } finally {
    await session.close();
  }
}

/** Adds what was translated from another program to what there is: nothing else is changed or deleted. */
export async function applyDocument(document: object, flags: Flags, config: () => Config): Promise<number> {
  const file = { name: 'as --print shows it', text: yamlText(document), directory: process.cwd() };
  const { desired, problems } = readDesired([file], secretsHere);
  if (printProblems(problems)) return exitUsage;
  const session = sessionFor(flags, config);
  try {
    return await apply(session, desired, flags);
  } finally {
    await session.close();
  }
}

/** Plans for an empty installation. */
function planOrNone(desired: Desired): Plan {
  return planChanges(
    desired,
    { projects: [], users: [] },
    {
      prune: false,
      fingerprint: (text) => text,
      passwords: passwordsOfCommand,
    },
  );
}

/** Returns null when the files are not valid, after their errors were printed. */
function validDesired(file: string): Desired | null {
  const { desired, problems } = readDesired(readFiles(file), secretsHere);
  return printProblems(problems) ? null : desired;
}

function printProblems(problems: readonly Problem[]): boolean {
  for (const problem of problems.slice(0, problemsPrintedMax)) warn(problemText(problem));
  if (problems.length > problemsPrintedMax) warn(`and ${problems.length - problemsPrintedMax} more problems`);
  return problems.length > 0;
}

async function apply(session: NamedCommands, desired: Desired, flags: Flags): Promise<number> {
  const { actual, fingerprint } = await readConfiguration(session, false);
  const prune = flags.prune === true;
  const plan = planChanges(desired, actual, { prune, fingerprint, passwords: passwordsOfCommand });
  checkKeyFiles(plan.steps, fingerprint);
  if (!(await agreeTo(plan, flags))) return plan.problems.length > 0 ? exitUsage : exitDone;
  await runSteps(session, plan.steps);
  print(`Done: ${planSummary(plan.steps, 'done')}.`);
  return exitDone;
}

/** Shows the plan and asks; resolves to whether it is to be carried out. */
async function agreeTo({ steps, problems }: Plan, flags: Flags): Promise<boolean> {
  if (printProblems(problems)) return false;
  if (steps.length === 0) {
    print('Nothing to change.');
    return false;
  }
  const colour = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
  for (const line of planLines(steps, { colour })) print(line);
  print(`Plan: ${planSummary(steps)}.`);
  if (flags.dryRun === true) return false;
  if (flags.yes === true) return true;
  if (!process.stdin.isTTY || flags.file === '-')
    throw new KnellError(
      'usage',
      'nothing was changed: add --yes to confirm, or --dry-run to see the plan only',
    );
  if ((await typedAnswer('Make these changes? Type yes to confirm: ')) !== 'yes')
    throw new KnellError('usage', 'nothing was changed');
  return true;
}
