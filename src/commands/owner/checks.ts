/** Commands about checks that the management API does not have. */

import type { Project } from '../../domain/accounts/project.ts';
import { type Check, slugLengthMax } from '../../domain/check/check.ts';
import type { CheckMove } from '../../engine/contract/engine.ts';
import { KnellError } from '../../lib/errors.ts';
import { type Args, choiceIn, type OwnerCommand, textIn } from '../contract/command.ts';

interface Moved {
  readonly check: Check;
  readonly project: Project;
}

interface MoveInput extends Moved {
  readonly move: CheckMove;
}

/** `check`: a UUID; `project`: where it goes; `channels`: `all` of its integrations or `none`; `slug`, if it changes. */
export const moveCheck: OwnerCommand<MoveInput, Moved, ShownMove> = {
  effect: 'changes',
  role: 'editor',
  input({ args, targets, context, nowMs }) {
    const check = context.engine.read.check(textIn(args, 'check'), nowMs);
    if (!check) throw new KnellError('not-found', 'no check has this UUID');
    const project = targets.project();
    const channels = args.channels === undefined ? 'all' : choiceIn(args, 'channels', ['all', 'none']);
    return { check, project, move: { projectId: project.id, channels, ...slugIn(args) } };
  },
  async run({ check, project, move }, { context, nowMs }) {
    return { check: await context.engine.change.moveCheck(check.id, move, nowMs), project };
  },
  shown: ({ check: { id, config }, project }) => {
    return { uuid: id, name: config.name, slug: config.slug, project: project.name };
  },
};

function slugIn(args: Args): { readonly slug?: string } {
  if (args.slug === undefined) return {};
  const slug = textIn(args, 'slug');
  if (!/^[a-z0-9_-]*$/.test(slug) || slug.length > slugLengthMax)
    throw new KnellError(
      'usage',
      `a slug has only a-z, 0-9, - and _, and at most ${slugLengthMax} characters`,
    );
  return { slug };
}

interface ShownMove {
  readonly uuid: string;
  readonly name: string;
  readonly slug: string;
  readonly project: string;
}
