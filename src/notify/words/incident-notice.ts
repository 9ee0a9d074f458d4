/**
 * What a message says of an incident as a whole: which checks are down and since when, which came up, and which of them it is about
 * first. `notice` has what it says of that one.
 * Invariants: only checks that the integration is notified of are named. A message says `up` once none of them is down, and not before.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkPath, incidentPath } from '../../domain/accounts/page-address.ts';
import type { Channel } from '../../domain/accounts/project.ts';
import { type Incident, type IncidentCheck, worstFirst } from '../../domain/alerting/incident.ts';
import type { Check } from '../../domain/check/check.ts';
import type { StatusChange } from '../../domain/check/flip.ts';
import {
  acceptsNotification,
  type Delivery,
  isReminder,
  notificationKindOf,
  recipientsOf,
} from '../../domain/deliveries/delivery.ts';
import { collectSecondsMax } from '../../domain/limits.ts';
import { type ChannelId, type CheckId, type IncidentId, uniqueKeyOf } from '../../lib/ids.ts';
import { second } from '../../lib/units.ts';
import type { Store } from '../../store/store.ts';
import type { DownCheck, IncidentCheckNotice, IncidentNotice, MessageAbout } from '../contract/channel.ts';
import { incidentChecksShown, membersReadPerTurn, nameCharsShown } from '../contract/limits.ts';
import { cut, oneLine } from './render.ts';

export interface IncidentReads {
  readonly store: Pick<Store, 'lastChange'>;
  readonly baseUrl: () => string;
  nowMs(): number;
  check(id: CheckId): Check | null;
  channel(id: ChannelId): Channel | null;
  /** By now; null for one that is gone. */
  incident(id: IncidentId): Incident | null;
}

export interface AboutIncident {
  /** The change of the check that the message is about first. */
  readonly delivery: Delivery;
  readonly check: Check;
  readonly kind: 'down' | 'up';
  readonly incident: IncidentNotice;
  /** Its page; null while it is about one check only, which has a page of its own. */
  readonly url: string | null;
  /** When it was over; 0 while it goes on. */
  readonly resolvedMs: number;
}

/** What has happened since the message before. */
export type IncidentChanges = Pick<IncidentNotice, 'wentDown' | 'up' | 'upCount'>;

interface Lead {
  readonly check: Check;
  readonly channel: Channel;
  readonly changes: IncidentChanges;
}

/** Null for what belongs to no incident, or to one that there is no more: then the message is about its check alone. */
export function aboutIncident(
  options: IncidentReads,
  { members, down: knownDown, message }: MessageAbout,
  { check, channel, changes }: Lead,
): AboutIncident | null {
  const [lead] = members;
  const incident = lead?.incident === undefined ? null : options.incident(lead.incident);
  if (!lead || !incident) return null;
  const own = incident.checks.filter(({ id }) => isNotified(options, channel, options.check(id)));
  const notUp = own.filter(({ leftMs }) => leftMs === 0).sort(worstFirst);
  const kind = knownDown.size > 0 && acceptsNotification(channel, 'down') ? 'down' : 'up';
  const down = kind === 'up' ? [] : notUp.filter(({ id, isDependent }) => isDependent || knownDown.has(id));
  const dependents = down.filter(({ id }) => !knownDown.has(id)).length;
  const downCount = kind === 'up' ? 0 : knownDown.size + dependents;
  const first = kind === 'down' ? firstDown(options, down) : null;
  const total = own.length + incident.more;
  return {
    delivery: first ? { ...lead, change: first.change } : lead,
    check: first?.check ?? check,
    kind,
    resolvedMs: incident.resolvedMs,
    url: total > 1 ? options.baseUrl() + incidentPath(incident.projectId, incident.id) : null,
    incident: {
      id: incident.id,
      name: oneLine(incident.checks[0]?.name ?? '') || check.id,
      openedMs: incident.openedMs,
      isReminder: isReminder(lead),
      held: kind === 'up' ? notUp.length : 0,
      ...{ downCount, total },
      down: down.slice(0, incidentChecksShown).map((one) => shown(options, one)),
      ...changes,
      message: message && {
        id: message.id,
        isUpdated:
          kind === 'down' && !isReminder(lead) && needsNoNew(changes, options.nowMs() - message.sentMs),
      },
    },
  };
}

/** Whether no new message is needed: nothing went down, or only right after the message that there is. */
function needsNoNew({ wentDown }: IncidentChanges, ageMs: number): boolean {
  return wentDown === 0 || ageMs < collectSecondsMax * second;
}

function isNotified({ channel: channelOf }: IncidentReads, channel: Channel, check: Check | null): boolean {
  if (check === null) return false;
  for (const { id } of recipientsOf(check.config.channels, { channelOf })) if (id === channel.id) return true;
  return false;
}

interface FirstDown {
  readonly check: Check;
  readonly change: StatusChange;
}

function firstDown(options: IncidentReads, down: readonly IncidentCheck[]): FirstDown | null {
  for (const { id } of down) {
    const check = options.check(id);
    const change = options.store.lastChange(id);
    if (check && change?.to === 'down') return { check, change };
  }
  return null;
}

function shown(
  options: IncidentReads,
  { id, name, joinedMs, isDependent }: IncidentCheck,
): IncidentCheckNotice {
  const check = options.check(id);
  const change = options.store.lastChange(id);
  const isDown = change?.to === 'down';
  return {
    name: cut(oneLine(check?.config.name || name), nameCharsShown) || id,
    url: check ? options.baseUrl() + checkPath(check.projectId, uniqueKeyOf(id)) : '',
    sinceMs: isDown ? change.atMs : joinedMs,
    why: isDependent
      ? 'depends on another'
      : isDown
        ? whyWords(change, check ? runOf(check).run : undefined)
        : '',
  };
}

/** The run of a check that is in flight. */
export function runOf({ config, state }: Pick<Check, 'config' | 'state'>): Pick<DownCheck, 'run'> {
  const { startedMs } = state;
  return startedMs === null ? {} : { run: { startedMs, graceMs: config.graceS * second } };
}

/** Why a check is down, in a few words. */
export function whyWords(
  { cause, atMs }: Pick<StatusChange, 'cause' | 'atMs'>,
  run: DownCheck['run'],
): string {
  if (cause === 'fail') return 'failed';
  if (cause === 'hung') return 'hung';
  // As on its page: one that began so late that the missing ping took the check down is not the reason.
  if (cause === 'timeout' && run && atMs - run.startedMs >= run.graceMs) return 'did not finish';
  return cause === 'overlap' ? 'runs overlap' : 'no ping';
}

/** What the members of a message are about. Of thousands it is found in turns. */
export function changesOf(
  options: Pick<IncidentReads, 'check'>,
  members: readonly Delivery[],
): IncidentChanges | Promise<IncidentChanges> {
  return members.length > membersReadPerTurn
    ? changesInTurns(options, members)
    : withChanges(noChanges, options, members);
}

async function changesInTurns(
  options: Pick<IncidentReads, 'check'>,
  members: readonly Delivery[],
): Promise<IncidentChanges> {
  let changes = noChanges;
  for (let begin = 0; begin < members.length; begin += membersReadPerTurn) {
    changes = withChanges(changes, options, members.slice(begin, begin + membersReadPerTurn));
    await nextTurn();
  }
  return changes;
}

const noChanges: IncidentChanges = { wentDown: 0, up: [], upCount: 0 };

function withChanges(
  before: IncidentChanges,
  options: Pick<IncidentReads, 'check'>,
  members: readonly Delivery[],
): IncidentChanges {
  let { wentDown, upCount } = before;
  const up = [...before.up];
  for (const delivery of members) {
    if (isReminder(delivery)) continue;
    if (notificationKindOf(delivery.change) !== 'up') wentDown++;
    else if (upCount++ < incidentChecksShown)
      up.push(nameOf(options.check(delivery.checkId), delivery.checkId));
  }
  return { wentDown, up, upCount };
}

function nameOf(check: Check | null, id: CheckId): string {
  return cut(oneLine(check?.config.name ?? ''), nameCharsShown) || id;
}
