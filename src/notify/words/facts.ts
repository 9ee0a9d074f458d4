/**
 * Values that request templates can name: the message as text of every format, and single values.
 * Invariant: pure; nothing is read or written down that a template does not ask for.
 */

import { tagsOf } from '../../domain/check/check.ts';
import { channelFields } from '../../integrations/channel-value.ts';
import type { TextLimit } from '../../integrations/contract/request.ts';
import { uniqueKeyOf } from '../../lib/ids.ts';
import { day } from '../../lib/units.ts';
import type { Notice } from '../contract/channel.ts';
import { outputCharsShown, smsCharsMax, usualLimit } from '../contract/limits.ts';
import { cardElements } from './card.ts';
import { formatted, isFormat } from './formats.ts';
import { cut, forPeople, isoOf, type Message, messageOf, nameOf, oneLine, titleOf } from './render.ts';
import { endOf } from './shown-body.ts';
import type { Filled } from './template.ts';

/** https://docs.opsgenie.com/docs/alert-api: message, tags. */
const opsgenie = { messageChars: 130, tagsMax: 20, tagChars: 50 } as const;
/** https://zulip.com/api/send-message: topic. */
const topicChars = 60;
/** https://www.rfc-editor.org/rfc/rfc8030#section-5.4: the topic of a push message. */
const pushTopicChars = 32;
/** Characters of a summary: PagerDuty takes 1024, in either version. */
const summaryChars = 1000;
/** No end in sight: for services that want one. */
const farMs = 365 * day;

/** Gives each fact by its name; undefined for what is none. */
export type Facts = (name: string) => Filled | undefined;

export function factsOf(notice: Notice, limit: TextLimit = usualLimit): Facts {
  let known: Message | null = null;
  const message = (): Message => {
    known ??= messageOf(notice);
    return known;
  };
  return (name) => {
    if (isFormat(name)) return formatted(forPeople(message()), name, limit);
    if (name === 'card') return cardElements(forPeople(message()), notice.notificationKind, limit);
    return isSingle(name) ? singles[name](notice, message) : undefined;
  };
}

type Single = (notice: Notice, message: () => Message) => Filled | undefined;

const singles = {
  title: titleOf,
  markedTitle: (_, message) => `${message().mark} ${message().title}`,
  shortTitle: (notice) => cut(titleOf(notice), opsgenie.messageChars),
  topic: topicOf,
  sms: (notice, message) => smsOf(notice, forPeople(message())),
  reason: (_, message) => message().headline,
  summary: (_, message) => cut(oneLine(`${message().title}. ${message().headline}`), summaryChars),
  linkText: (_, message) => message().link.text,
  body: (_, message) => endOf(message().body, outputCharsShown).text,
  details: (_, message) => detailsOf(message()),
  name: (notice) => notice.incident?.name ?? nameOf(notice),
  project: ({ project }) => oneLine(project.name),
  tags: ({ check }) => tagsOf(check.config).join(' '),
  tagList: ({ check }) =>
    tagsOf(check.config)
      .slice(0, opsgenie.tagsMax)
      .map((tag) => cut(tag, opsgenie.tagChars)),
  uniqueKey: keyOf,
  topicKey: (notice) => keyOf(notice).slice(0, pushTopicChars),
  slugOrKey: ({ check }) => check.config.slug || uniqueKeyOf(check.id),
  checkUrl: ({ checkUrl }) => checkUrl,
  actUrl: ({ actUrl }) => actUrl ?? undefined,
  ackUrl: ({ actUrl, notificationKind }) => (notificationKind === 'down' ? actUrl : null) ?? undefined,
  snoozeUrl: ({ actUrl }) => (actUrl === null ? undefined : `${actUrl}?snooze`),
  /** Only what a server on the internet takes for an address: Telegram refuses a message with a button to `localhost`. */
  publicActUrl: ({ actUrl }) => (actUrl !== null && isPublic(actUrl) ? actUrl : undefined),
  actText: (_, message) => message().act?.text,
  messageId: ({ incident }) => incident?.message?.id,
  messageNumber: ({ incident }) => (incident?.message ? Number(incident.message.id) : undefined),
  deliveryId: ({ deliveryId }) => deliveryId,
  at: ({ atMs }) => isoOf(atMs),
  atUtc: ({ atMs }) => new Date(atMs).toISOString(),
  downSinceUtc: ({ atMs, downtimeMs }) => new Date(atMs - (downtimeMs ?? 0)).toISOString(),
  farUtc: ({ atMs }) => new Date(atMs + farMs).toISOString(),
} as const satisfies Readonly<Record<string, Single>>;

/** What services know the alert by: the incident, or the check. */
export function keyOf({ check, incident }: Pick<Notice, 'check' | 'incident'>): string {
  return incident ? incident.id.replaceAll('-', '') : uniqueKeyOf(check.id);
}

/** Names of private networks (RFC 6762, RFC 8375, and what is in use) are not. */
function isPublic(url: string): boolean {
  const { hostname } = new URL(url);
  return /\.[a-z]/i.test(hostname) && !/\.(?:local|lan|home|internal|intranet|home\.arpa)$/i.test(hostname);
}

function isSingle(name: string): name is keyof typeof singles {
  return Object.hasOwn(singles, name);
}

/** The integration's, or one for each check and state. What changed stays at its end, however long the name is. */
function topicOf(notice: Notice): string {
  const { topic } = channelFields(notice.channel.kind, notice.channel.value);
  if (typeof topic === 'string' && topic !== '') return cut(topic, topicChars);
  const title = titleOf(notice);
  const surplus = [...title].length - topicChars;
  if (surplus <= 0 || notice.test) return cut(title, topicChars);
  const name = nameOf(notice);
  return cut(name, [...name].length - surplus) + title.slice(name.length);
}

function smsOf({ checkUrl }: Notice, { title, headline }: Message): string {
  const text = `${title}. ${headline}`;
  const linked = `${text} ${checkUrl}`;
  return linked.length <= smsCharsMax ? linked : cut(text, smsCharsMax);
}

/** The facts as an object, for services that show one as a table. */
function detailsOf({ headline, facts, othersDown, context }: Message): Filled {
  const others = othersDown === '' ? {} : { 'Other checks': othersDown };
  return { Reason: headline, ...Object.fromEntries([...facts, ...context]), ...others };
}
