/** How an integration works, in words, from its latest notifications, what waits, and what it lacks. Pure. */

import {
  type ChannelSettings,
  channelSettingFields,
  type OwnerSettingName,
  ownerSettingNames,
} from '../../domain/accounts/channel-settings.ts';
import { getsAlerts } from '../../domain/accounts/project.ts';
import type { IntegrationView, NotificationView } from '../../domain/views/integration-view.ts';
import type { DeliveryView } from '../../domain/views/page-view.ts';
import { exactSpan } from '../../domain/words/span-words.ts';
import { kinds } from '../../integrations/all.ts';
import { shownTarget } from '../../integrations/channel-target.ts';
import { titles } from '../../integrations/contract/titles.ts';
import { momentWords } from '../core/words.ts';
import type { Mark } from '../ui/status-mark.tsx';

/** Milliseconds between two requests for what was notified, which the server does not publish, while a page with it is open. */
export const askedEveryMs = 5000;

export interface Health {
  readonly mark: Mark;
  readonly words: string;
  /** The reason; empty if there is nothing to say. */
  readonly note: string;
  /** Whether every attempt has failed lately. */
  readonly isFailing: boolean;
}

/** A notification as a column: it is over, or it failed and is tried again. */
export interface Column {
  readonly id: string;
  readonly atMs: number;
  readonly outcome: NotificationView['outcome'] | 'retrying';
  readonly kind: NotificationView['kind'];
  readonly reminder?: true;
  readonly check: string;
  readonly attempts: number;
  readonly error: string;
}

/** Returns the columns, oldest first. */
export function columnsOf({ recent, deliveries }: IntegrationView, most: number): readonly Column[] {
  const retrying = deliveries
    .filter(isRetrying)
    .map(({ id, sinceMs, triedMs, event, reminder, check, attempts, error }) => {
      const one = {
        id,
        atMs: triedMs ?? sinceMs,
        outcome: 'retrying',
        kind: event,
        check,
        attempts,
        error,
      } as const;
      return reminder ? { ...one, reminder } : one;
    });
  const again = new Set(retrying.map(({ id }) => id));
  const over = recent.filter(({ id }) => !again.has(id));
  return [...over, ...retrying].sort((a, b) => a.atMs - b.atMs).slice(-most);
}

function isRetrying({ state, attempts }: DeliveryView): boolean {
  return state === 'waiting' && attempts > 0;
}

interface HealthFacts {
  readonly nowMs: number;
  /** Variables that its kind needs and the server lacks. */
  readonly missing: readonly string[];
  /** Whether the names of those are said in the link by which an owner sets them. */
  readonly isOwner?: boolean;
}

const unableWords = ['Cannot send', 'Not verified', 'Sends nothing'] as const;

export function healthOf(one: IntegrationView, { nowMs, missing, isOwner = false }: HealthFacts): Health {
  const still = { isFailing: false };
  if (one.disabled) return { ...still, mark: 'paused', words: 'Turned off', note: one.disabledReason };
  if (missing.length > 0)
    return { ...still, mark: 'late', words: 'Cannot send', note: lacksWords(missing, isOwner) };
  if (one.unverified)
    return {
      ...still,
      mark: 'late',
      words: 'Not verified',
      note: 'Gets nothing until the address is confirmed',
    };
  const nothing = nothingSent(one);
  if (nothing !== '') return { ...still, mark: 'late', words: 'Sends nothing', note: nothing };
  if (one.kind === 'group') return { ...still, mark: 'up', words: 'Passed on to its members', note: '' };
  const ended = columnsOf(one, Number.POSITIVE_INFINITY).filter(({ outcome }) => outcome !== 'superseded');
  // From the first attempt that failed until one succeeds, as everywhere. Why is in its row of notifications, if there is one.
  if (one.failingSinceMs > 0)
    return failingSince(one.failingSinceMs, nowMs, ended.length === 0 ? one.lastError : '');
  if (one.retrying > 0)
    return {
      ...still,
      mark: 'late',
      words: one.retrying === 1 ? '1 retry pending' : `${one.retrying} retries pending`,
      note: '',
    };
  const last = ended.at(-1);
  // Its address was confirmed.
  if (last && last.outcome !== 'delivered')
    return { ...still, mark: 'new', words: 'Not tried again yet', note: '' };
  if (last) return { ...still, mark: 'up', words: 'Working', note: '' };
  // Of events that arrived there is no list, only of those that did not.
  if (!getsAlerts(one)) return { ...still, mark: 'up', words: 'No failures', note: '' };
  return { ...still, mark: 'new', words: 'No notification yet', note: '' };
}

/** Whether nothing is even tried: not of one that fails, or is tried again. */
export function cannotSend({ mark, words }: Health): boolean {
  return mark === 'late' && unableWords.some((one) => one === words);
}

function lacksWords(missing: readonly string[], isOwner: boolean): string {
  if (!isOwner) return `Needs ${missing.join(', ')}`;
  return missing.length === 1 ? 'A setting of the server is missing' : 'Settings of the server are missing';
}

const bothWays = ['down', 'up'] as const;

/** Why the events that it chooses and the ticks of its kind leave nothing to send; empty where they leave something. */
export function nothingSent({ kind, fields, events, late, warnings }: NothingFacts): string {
  const chosen = events.split(/\s+/).filter((event) => event !== '');
  if (chosen.length === 0 || !getsAlerts({ kind })) return '';
  const ticks = kinds[kind].form.fields.filter(({ input }) => input === 'tick').map(({ name }) => name);
  const [isOfDown, isOfUp] = bothWays.map((way) => !ticks.includes(way) || fields[way] !== '');
  // That a check is late, or ended with a warning, goes the way of what is down.
  if (isOfDown && (late || warnings)) return '';
  if (chosen.every((event) => event === 'up'))
    return '“Up again” is sent only after a way of going down that is chosen, too';
  if (isOfDown || (isOfUp && chosen.includes('up'))) return '';
  return 'It is notified only when a check recovers, and “Up again” is not chosen';
}

type NothingFacts = Pick<IntegrationView, 'kind'> & {
  readonly fields: Readonly<Record<string, string>>;
} & Pick<ChannelSettings, 'events' | 'late' | 'warnings'>;

function failingSince(atMs: number, nowMs: number, note: string): Health {
  return { mark: 'down', words: `Failing since ${momentWords(atMs, nowMs)}`, note, isFailing: true };
}

const kindWords = { down: 'Down', up: 'Up', late: 'Late', warning: 'Warning', test: 'Test' } as const;

/** Returns `Down: Nightly backup`, or `Reminder: Nightly backup` where the same was delivered before. */
export function notificationWords({
  kind,
  check,
  reminder = false,
}: Pick<NotificationView, 'kind' | 'check'> & { readonly reminder?: boolean | undefined }): string {
  if (kind === 'test') return 'Test';
  return `${reminder ? 'Reminder' : kindWords[kind]}: ${check || 'a check that is gone or has no name'}`;
}

export const outcomeWords: Readonly<Record<Column['outcome'], string>> = {
  delivered: 'delivered',
  failed: 'failed',
  superseded: 'not sent',
  held: 'held back',
  retrying: 'failed, will be retried',
};

/** Returns `PagerDuty, after 10 min`; empty where the name says all. One without a name is called by its kind: of that it has the target here. */
export function kindLine(integration: IntegrationView): string {
  const { name, kind, apart } = integration;
  const target = name === '' ? targetWords(integration) || titles[kind] : titles[kind];
  // Where it sends to is in the name already, if it has none of its own and others have none either.
  const what = name === '' && apart !== undefined ? [] : [target];
  return [...what, ...settingWords(integration)].join(', ');
}

/** Where it sends to, of what the page has: an address, a name, or the host of a URL; empty where all of that is secret. */
function targetWords({ kind, fields, kept }: IntegrationView): string {
  for (const field of kinds[kind].form.fields) {
    const shown = shownTarget(field, fields[field.name] ?? kept[field.name] ?? '');
    if (shown !== '') return shown;
  }
  return '';
}

/** Those that are not the usual ones, such as `after 10 min`. */
export function settingWords(settings: Pick<ChannelSettings, OwnerSettingName>): readonly string[] {
  return ownerSettingNames.flatMap((name) => {
    const field = channelSettingFields[name];
    const value = settings[name];
    if (field.kind === 'zone' || value === field.default) return [];
    if (field.kind === 'words') return [`${field.inLine} ${value}`];
    if (typeof value === 'number') return [`${field.inLine} ${exactSpan(value * 1000)}`];
    // What the health says already has no words here.
    return field.inLine === '' ? [] : [field.inLine];
  });
}

export function usedWords(used: number, of: number): string {
  if (used === 0) return 'No checks';
  return `${used.toLocaleString()} of ${of.toLocaleString()} ${of === 1 ? 'check' : 'checks'}`;
}
