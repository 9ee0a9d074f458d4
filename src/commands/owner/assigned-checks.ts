/**
 * Which checks notify a new integration: `checks` of the command that creates it.
 * Invariant: only checks of its project.
 */
import type { Project } from '../../domain/accounts/project.ts';
import { KnellError } from '../../lib/errors.ts';
import type { CheckId } from '../../lib/ids.ts';
import type { Kind } from '../contract/argument.ts';
import { choice } from '../contract/argument-kinds.ts';

export type AssignedChecks = 'all' | 'none' | readonly CheckId[];

const all = choice(['all', 'none']);

/** All, unless the request says otherwise: an alert too many is noticed, one too few is not. */
export const assignedChecks: Kind<'all' | 'none' | readonly string[], (of: Project) => AssignedChecks> = {
  ...all,
  is: `${all.is}, or a list of UUIDs`,
  read:
    ({ args: { checks }, context, nowMs }) =>
    (project) => {
      if (checks === 'all' || checks === 'none') return checks;
      if (!Array.isArray(checks)) throw invalid();
      return checks.map((id: unknown) => {
        const check = typeof id === 'string' ? context.engine.read.check(id, nowMs) : null;
        if (check?.projectId !== project.id) throw invalid();
        return check.id;
      });
    },
};

function invalid(): KnellError {
  return new KnellError('usage', 'checks must be all, none, or a list of UUIDs of checks of this project');
}
