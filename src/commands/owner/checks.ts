/** Commands about checks that the management API does not have. */

import { slugLengthMax } from '../../domain/limits.ts';
import { previewOfCheck } from '../../engine/reads/retained.ts';
import { optional, required, withDefault } from '../contract/argument.ts';
import * as kind from '../contract/argument-kinds.ts';
import { command } from '../contract/declaration.ts';
import { shownPreview } from './projects.ts';

const slug = kind.text({
  charsMax: slugLengthMax,
  pattern: {
    fits: /^[a-z0-9_-]*$/,
    error: `a slug has only a-z, 0-9, - and _, and at most ${slugLengthMax} characters`,
  },
});

export const checkCommands = {
  'check move': command({
    effect: 'changes',
    role: 'editor',
    help: 'move a check to another project, with its history',
    more: `UUID, ping URL, badge, pings and counters stay. Ping URLs with a slug change: they have the ping
key of the project. The old project's integrations are no longer notified.`,
    takes: {
      check: required(kind.check, '<check>', 'a name, a slug, a UUID or its beginning'),
      project: required(kind.project, '<project>', 'where it goes, by its name or id'),
      slug: optional(slug, '--slug <slug>', 'give it another slug'),
      channels: withDefault(
        kind.choice(['all', 'none']),
        'all',
        '--channels <which>',
        'the integrations of the other project that it notifies',
      ),
    },
    async run({ check, project, slug, channels }, { context, nowMs }) {
      const move = { projectId: project.id, channels, ...(slug === undefined ? {} : { slug }) };
      return { check: await context.engine.change.moveCheck(check.id, move, nowMs), project };
    },
    shown: ({ check: { id, config }, project }) => {
      return { uuid: id, name: config.name, slug: config.slug, project: project.name };
    },
  }),
  'check retention': command({
    effect: 'reads',
    role: 'viewer',
    help: 'show what other rules of retention would drop, and change nothing',
    more: `Rules are one per line, or with commas between them: "pings last 500", "failures 1 year",
"bodies of successes 3 days". "" means those of the project. Set them with knell check update --retention.`,
    takes: {
      check: required(kind.check, '<check>', 'a name, a slug, a UUID or its beginning'),
      retention: required(kind.retention, '<rules>', 'the rules to try'),
    },
    run: async ({ check, retention }, { context }) => {
      const { read } = context.engine;
      return read.durably(() => previewOfCheck(read, check, retention));
    },
    shown: shownPreview,
  }),
} as const;
