/**
 * Carries out the steps of a plan, in batches and in order, with the ids of what earlier steps created.
 * Invariants: a batch begins when the one before it is durable; after a refusal nothing further is tried; a created key is
 * written or printed, whatever fails.
 */

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { PlannedStep } from '../../apply/planned-step.ts';
import { withIds } from '../../apply/references.ts';
import type { StepOutcome } from '../../domain/configuration/configuration-step.ts';
import { stepsMax } from '../../domain/limits.ts';
import { type ErrorCode, errorCodes, KnellError, messageOf } from '../../lib/errors.ts';
import { sha256Hex } from '../../lib/ids.ts';
import type { NamedCommands } from '../io/admin-client.ts';
import { stepsCharsMax } from '../io/limits.ts';
import { print, warn } from '../io/terminal.ts';

/**
 * Checks the files into which keys will be written: an existing file may hold another key, so it is overwritten only if it holds
 * the key that is replaced. Throws a KnellError `usage`.
 */
export function checkKeyFiles(steps: readonly PlannedStep[], fingerprint: (text: string) => string): void {
  for (const { file, name, replaced } of steps) {
    if (file === null || !existsSync(file)) continue;
    if (replaced === null || fingerprint(sha256Hex(readFileSync(file, 'utf8').trim())) !== replaced)
      throw new KnellError('usage', `${file} exists already: key ${name} would be written there`);
  }
}

export async function runSteps(session: NamedCommands, steps: readonly PlannedStep[]): Promise<void> {
  const ids = new Map<string, string>();
  let done = 0;
  while (done < steps.length) {
    const batch = nextBatch(steps, done);
    const asked = batch.map(({ step, members }) => withIds(step, members, ids));
    const outcomes = await session.run('config apply', { steps: asked });
    batch.forEach((planned, at) => {
      noteOutcome(planned, outcomes[at], ids);
    });
    const failed = outcomes.findIndex(({ ok }) => !ok);
    if (failed >= 0)
      throw refusalOf(outcomes[failed], batch[failed], done + outcomes.filter(({ ok }) => ok).length);
    done += batch.length;
  }
}

/** The next steps of one kind, which do not need one another. A group is a batch by itself: it may name another group. */
function nextBatch(steps: readonly PlannedStep[], from: number): readonly PlannedStep[] {
  const [first] = steps.slice(from, from + 1);
  const batch: PlannedStep[] = [];
  let chars = 0;
  for (const planned of steps.slice(from, from + stepsMax)) {
    chars += JSON.stringify(planned.step).length;
    const isOther = planned.step.do !== first?.step.do || planned.members !== null || first.members !== null;
    if (batch.length > 0 && (isOther || chars > stepsCharsMax)) break;
    batch.push(planned);
  }
  return batch;
}

function noteOutcome(planned: PlannedStep, outcome: StepOutcome | undefined, ids: Map<string, string>): void {
  if (!outcome?.ok) return;
  if (planned.reference !== null && outcome.id !== undefined) ids.set(planned.reference, outcome.id);
  if (outcome.key !== undefined) keepKey(planned, outcome.key);
  if (outcome.link !== undefined)
    print(
      `user ${JSON.stringify(planned.name)} sets a password here (one-time link, expires in 24 hours): ${outcome.link}`,
    );
}

function keepKey({ project, name, file, replaced }: PlannedStep, key: string): void {
  if (file !== null) {
    try {
      // The key in the file was revoked a moment ago.
      if (replaced !== null) rmSync(file, { force: true });
      writeFileSync(file, `${key}\n`, { mode: 0o600, flag: 'wx' });
      return;
    } catch (error) {
      warn(`cannot write ${file}: ${messageOf(error)}`);
    }
  }
  print(`key ${JSON.stringify(name)} of ${JSON.stringify(project)}, shown only now: ${key}`);
}

function nameOf({ what, name, project }: PlannedStep): string {
  const own = `${what} ${JSON.stringify(name)}`;
  return project === null ? own : `${own} of ${JSON.stringify(project)}`;
}

function refusalOf(
  outcome: StepOutcome | undefined,
  planned: PlannedStep | undefined,
  done: number,
): KnellError {
  const { code, error } =
    outcome && !outcome.ok ? outcome : { code: 'conflict', error: 'the server gave no answer' };
  const what = planned ? nameOf(planned) : 'a step';
  const count = `${done} ${done === 1 ? 'change was' : 'changes were'} made`;
  const known = Object.keys(errorCodes).find((one) => one === code && one !== 'usage') as
    | ErrorCode
    | undefined;
  return new KnellError(known ?? 'conflict', `${what}: ${error} (${count}; apply again to go on from there)`);
}
