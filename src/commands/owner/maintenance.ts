/**
 * Commands about maintenance windows. Not here: the checks of their input (`maintenance-input`), what a window holds back.
 * Invariant: a change is made to the window as it is at that moment, in one turn: of two at once none is lost.
 */
import type { MaintenanceWindow } from '../../domain/alerting/maintenance.ts';
import { maintenanceSecondsMax, maintenanceSecondsMin } from '../../domain/limits.ts';
import { maintenanceView } from '../../domain/views/maintenance-view.ts';
import { KnellError } from '../../lib/errors.ts';
import { asMaintenanceId } from '../../lib/ids.ts';
import { second } from '../../lib/units.ts';
import { spanSeconds } from '../../spec/maintenance-spec.ts';
import { optional, required } from '../contract/argument.ts';
import * as kind from '../contract/argument-kinds.ts';
import { type CommandRequest, InvalidField } from '../contract/command.ts';
import { asIs, command } from '../contract/declaration.ts';
import { maintenanceIn } from '../contract/maintenance-input.ts';

const text = kind.readByCommand<string>(kind.text());
const tags = kind.readByCommand<readonly string[]>(kind.texts('tags'));
const checks = kind.readByCommand<readonly string[]>(kind.texts('UUIDs of checks'));
const flag = kind.readByCommand<boolean>(kind.flag());
const time = kind.readByCommand<string | number>({
  is: 'seconds, or a time such as `90m`, `2h` or `1d`; from 1m to 7d',
  typed: String,
});
const moment = kind.readByCommand<string | number>({
  is: 'epoch seconds, or a time such as `2030-05-04T09:00:00Z`',
  typed: String,
});

interface GivenSpan {
  readonly from: string;
  readonly until: string;
}

const dates = kind.readByCommand<readonly GivenSpan[]>({
  is: 'a list of objects: `from` and `until`',
  typed: (words, place) =>
    kind.listTyped(words).map((typed) => {
      const [from = '', until] = typed.split('/');
      if (until !== undefined) return { from, until };
      throw new KnellError('usage', `${place} is FROM/UNTIL, not ${JSON.stringify(typed)}`);
    }),
});

const scope = {
  checks: optional(checks, '--check <check...>', 'the UUIDs of checks that it is about'),
  tags: optional(tags, '--tag <tag...>', 'tags: it is about every check that has one of them'),
};

const integrations = optional(
  kind.readByCommand<readonly string[]>(kind.texts('UUIDs of integrations')),
  '--integration <integration...>',
  'UUIDs of integrations: their quiet hours, and no maintenance',
);

const calendar = {
  from: optional(moment, '--from <time>', 'when it begins; now, if omitted'),
  until: optional(moment, '--until <time>', 'when it ends'),
  schedule: optional(text, '--schedule <expression>', 'or cron or OnCalendar: when it begins each time'),
  duration: optional(time, '--duration <time>', 'how long it takes, such as 90m or 2h'),
  tz: optional(text, '--tz <zone>', 'the time zone of the schedule, and of whole days of a file'),
  dates: optional(dates, '--date <dates...>', 'or FROM/UNTIL, of each date'),
  counts_as_downtime: optional(flag, '--counts-as-downtime', 'status pages count what is down meanwhile'),
};
const ics = optional(text, null, 'or the events of an iCalendar file, as text');

export const maintenanceCommands = {
  'maintenance list': command({
    effect: 'reads',
    role: 'editor',
    help: 'list the maintenance windows of a project',
    takes: { project: required(kind.project, '[project]') },
    run: ({ project }, { context, nowMs }) =>
      context.engine.read.maintenance(project.id).map((window) => maintenanceView(window, nowMs)),
    shown: asIs,
  }),
  'maintenance create': command({
    effect: 'changes',
    role: 'editor',
    help: 'create a maintenance window: meanwhile no alerts about its checks',
    more: `Examples:
  knell maintenance create default "DB move" --tag db --from 2030-05-04T22:00:00Z --duration 4h
  knell maintenance create default Sundays --schedule "0 2 * * 0" --tz Europe/Riga --duration 2h
  knell maintenance create default Holidays --tz Europe/Riga --ics holidays.ics
  knell maintenance create default "At night" --schedule "0 22 * * *" --duration 9h --integration 8a3f…`,
    takes: {
      project: required(kind.project, '<project>'),
      name: required(text, '<name>', 'what it is called'),
      ...scope,
      integrations,
      ...calendar,
      ics,
    },
    async run({ project }, request) {
      const { context, nowMs, args } = request;
      const content = maintenanceIn(args, null, { read: context.engine.read, project, nowMs });
      const id = asMaintenanceId(context.engine.change.ids.newUuid());
      return changed(request, { ...content, id, projectId: project.id, createdAtMs: nowMs, by: '' });
    },
    shown: asIs,
  }),
  'maintenance edit': command({
    effect: 'changes',
    role: 'editor',
    line: null,
    help: 'edit a maintenance window; what is omitted keeps its value',
    takes: {
      window: required(kind.maintenance, null),
      name: optional(text, null, 'what it is called'),
      checks: optional(checks, null, 'the checks that it is about'),
      tags: optional(tags, null, 'the tags that it is about'),
      integrations: optional(
        kind.readByCommand<readonly string[]>(kind.texts('UUIDs of integrations')),
        null,
        'the integrations whose quiet hours it is',
      ),
      from: optional(moment, null, 'when it begins'),
      until: optional(moment, null, 'when it ends'),
      schedule: optional(text, null, 'when it begins each time'),
      duration: optional(time, null, 'how long it takes'),
      tz: optional(text, null, 'its time zone'),
      dates: optional(dates, null, 'all of them'),
      counts_as_downtime: optional(flag, null, 'whether status pages count what is down meanwhile'),
      ics,
    },
    async run({ window }, request) {
      const { context, nowMs, args } = request;
      const project = context.engine.read.project(window.projectId);
      if (!project) throw new KnellError('not-found', 'this maintenance window was deleted');
      const content = maintenanceIn(args, window, { read: context.engine.read, project, nowMs });
      return changed(request, { ...window, ...content });
    },
    shown: asIs,
  }),
  'maintenance start': command({
    effect: 'changes',
    role: 'editor',
    help: 'start maintenance now, or let it go on for so long',
    more: `Example:
  knell maintenance start default 2h --tag db`,
    takes: {
      project: required(kind.project, '<project>'),
      duration: required(time, '<time>', 'how long, such as 90m, 2h or 1d'),
      ...scope,
    },
    async run({ project }, { context, nowMs, args }) {
      const seconds = secondsIn(args.duration);
      const asked = { ...args, duration: seconds };
      const { checks, tags } = maintenanceIn(asked, null, { read: context.engine.read, project, nowMs });
      const window = await context.engine.change.startMaintenance(
        { projectId: project.id, checks, tags, name: 'Maintenance', untilMs: nowMs + seconds * second },
        nowMs,
      );
      return maintenanceView(window, nowMs);
    },
    shown: asIs,
  }),
  'maintenance end': command({
    effect: 'changes',
    role: 'editor',
    help: 'end a maintenance window that is on; what comes later stays',
    takes: { window: required(kind.maintenance, '<window>') },
    async run({ window }, { context, nowMs }) {
      return maintenanceView(await context.engine.change.endMaintenance(window.id, nowMs), nowMs);
    },
    shown: asIs,
  }),
  'maintenance delete': command({
    effect: 'changes',
    role: 'editor',
    help: 'delete a maintenance window, as if it had never been',
    takes: { window: required(kind.maintenance, '<window>') },
    async run({ window }, { context }) {
      await context.engine.change.deleteMaintenance(window.id);
      return window;
    },
    shown: ({ id, name }) => ({ id, name, deleted: true }),
  }),
} as const;

async function changed(
  { context: { engine }, nowMs }: CommandRequest,
  window: MaintenanceWindow,
): Promise<ReturnType<typeof maintenanceView>> {
  return maintenanceView(await engine.change.putMaintenance(window, nowMs), nowMs);
}

function secondsIn(value: unknown): number {
  const seconds = typeof value === 'number' ? value : spanSeconds(value);
  if (seconds !== null && seconds >= maintenanceSecondsMin && seconds <= maintenanceSecondsMax)
    return seconds;
  throw new InvalidField('duration', 'give a time from 1m to 7d, such as 90m, 2h or 1d');
}
