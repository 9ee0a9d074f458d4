/**
 * The links in alerts: a page on which anyone who has the alert acknowledges or snoozes the check, without an account. Its
 * address is signed, and belongs to one outage of one check. `mail-links` has the links that belong to an address.
 * Invariants: only POST changes anything, since chats and mail scanners follow every link. After the outage, or once the
 * integration is deleted or has another address, the link changes nothing; nor does any while owners have them turned off.
 */

import { actorOf } from '../../../domain/accounts/audit.ts';
import { checkPath, incidentPath } from '../../../domain/accounts/page-address.ts';
import { type Channel, settingsOf } from '../../../domain/accounts/project.ts';
import { type Incident, worstFirst } from '../../../domain/alerting/incident.ts';
import { incidentTitle } from '../../../domain/alerting/incident-words.ts';
import type { Check } from '../../../domain/check/check.ts';
import { pingsUntil } from '../../../domain/check/made-by.ts';
import { isSentIncidents, recipientsOf } from '../../../domain/deliveries/delivery.ts';
import { incidentNoteCharsMax, snoozedByLengthMax } from '../../../domain/limits.ts';
import { shownOutputText } from '../../../domain/words/output-lines.ts';
import { shortSpan } from '../../../domain/words/span-words.ts';
import { type Reader, timeText } from '../../../domain/words/time-words.ts';
import { runbookIn } from '../../../domain/words/web-address.ts';
import type { EngineChange, EngineRead } from '../../../engine/contract/engine.ts';
import { kinds } from '../../../integrations/all.ts';
import { channelFields } from '../../../integrations/channel-value.ts';
import { KnellError } from '../../../lib/errors.ts';
import { type CheckId, uniqueKeyOf } from '../../../lib/ids.ts';
import { alertChecksShownMax, alertLinkMsMax, alertPingsSearchedMax } from '../../limits.ts';
import type { HttpReply, HttpRequest } from '../../wire/message.ts';
import {
  type PlainChoice,
  type PlainItem,
  type PlainLink,
  type PlainPage,
  plainPage,
} from '../../wire/plain-page.ts';
import { text } from '../../wire/replies.ts';
import type { WebContext } from '../calls/call.ts';
import { endSnooze, snoozeChoices, snoozeEnd } from './alert-snoozes.ts';
import { outdatedPage, storeFullPage, tooManyPage } from './mail-links.ts';

const withdraw: PlainChoice = {
  text: 'Withdraw acknowledgement',
  does: 'unacknowledge',
  isQuiet: true,
};

const path = /^\/alert\/([\w-]{50,90})$/;

interface Alert {
  readonly check: Check;
  readonly channel: Channel;
  readonly atMs: number;
}

/** Returns null if the address is not a link of an alert. */
export function answerAlertLink(
  context: WebContext,
  request: HttpRequest,
): HttpReply | Promise<HttpReply> | null {
  const [, token] = path.exec(request.path) ?? [];
  if (token === undefined) return null;
  const { method, clientAddr, receivedAtMs: nowMs } = request;
  const waitSeconds = context.mailLinkRequests.take(clientAddr, nowMs);
  if (waitSeconds > 0) return tooManyPage(waitSeconds);
  const alert = alertOf(context, token, nowMs);
  if (alert === null) return outdated;
  if (!context.serverSettings.current.alertLinks) return turnedOff(context, alert);
  if (method === 'GET' || method === 'HEAD') {
    const asked = new URLSearchParams(request.query).has('snooze') ? 'snooze' : 'acknowledge';
    return context.engine.read.durably(() => ask(context, alert, asked, nowMs));
  }
  if (method !== 'POST') return text(405, 'method not allowed', [['Allow', 'GET, HEAD, POST']]);
  return act(context, alert, request).then(acrossOrigins, failed);
}

const outdated = outdatedPage(
  'The check or the integration that it was for was deleted or changed, or the alert is more than a year old.',
);

/** It names no check: a link may be in other hands than those that it was for, which may be why they are turned off. */
function turnedOff(context: WebContext, { check }: Alert): HttpReply {
  return plainPage(403, {
    title: 'Links in alerts are turned off',
    text: 'An owner of this Knell has turned them off. Sign in to acknowledge or snooze the check on its page.',
    link: linkTo(context, check),
  });
}

function alertOf({ engine, tokens }: WebContext, token: string, nowMs: number): Alert | null {
  const ref = tokens.alertRefOf(token);
  const channel = ref && engine.read.channel(ref.channelId);
  const check = ref && engine.read.checkByBadge(ref.badgeId, nowMs);
  if (!channel || !check || !tokens.isAlertLink(token, channel)) return null;
  const isItsOwn = channel.projectId === check.projectId;
  return isItsOwn && nowMs - ref.atMs <= alertLinkMsMax ? { check, channel, atMs: ref.atMs } : null;
}

/** Whether the check has been well since. Any later outage has an alert of its own. */
function isOver({ engine }: WebContext, { check, atMs }: Alert, nowMs: number): boolean {
  if (check.state.status !== 'down' && check.state.status !== 'grace') return true;
  const since = engine.read.changes(check.id, { fromMs: atMs + 1, untilMs: nowMs + 1 }, 2);
  return since.some((change) => change.atMs > atMs && change.to !== 'down');
}

/** The open incident that an alert was about as a whole, whether its check is still down or not; null for one about a check alone. */
function incidentOf({ engine }: WebContext, { check, channel }: Alert): Incident | null {
  const incident = isSentIncidents(channel) ? engine.read.openIncidentWith(check.id) : null;
  return incident && incident.checks.length > 1 ? incident : null;
}

interface Asked {
  readonly alert: Alert;
  readonly asked: 'acknowledge' | 'snooze';
  readonly nowMs: number;
}

function askAboutIncident(
  context: WebContext,
  incident: Incident,
  { alert, asked, nowMs }: Asked,
): HttpReply {
  const { stage, acknowledgedBy, openedMs } = incident;
  const since = `It began ${shortSpan(nowMs - openedMs)} ago.`;
  const output = outputIn(context, alert);
  const down = downIn(context, incident, alert.channel, nowMs);
  const acknowledge = stage === 'open' ? [{ text: 'Acknowledge', does: 'acknowledge' }] : [];
  return plainPage(200, {
    title: incidentTitle(incident),
    ...projectOf(context, incident),
    text: stage === 'acknowledged' ? `${since} Acknowledged by ${acknowledgedBy}.` : since,
    items: down.named,
    more: down.more,
    ...(output === null ? {} : { output }),
    choices: choicesOf(asked, readerOf(context, alert.channel, nowMs), {
      acknowledge,
      isAcknowledged: stage === 'acknowledged',
      isSnoozed: snoozedIn(context, incident, nowMs).length > 0,
    }),
    ...runbookOf(alert.check),
    ...(stage === 'open'
      ? { note: { label: 'A note for the others, with an acknowledgement', charsMax: incidentNoteCharsMax } }
      : {}),
    link: linkToIncident(context, incident),
  });
}

/**
 * Its checks that are down, the worst first; only those are named of which the integration is notified. The rest is a number.
 */
function downIn(
  { engine: { read }, commands: { outbox } }: WebContext,
  incident: Incident,
  channel: Channel,
  nowMs: number,
): { readonly named: readonly PlainItem[]; readonly more: number } {
  const down = incident.checks.filter(({ leftMs }) => leftMs === 0).toSorted(worstFirst);
  const named: PlainItem[] = [];
  for (const { id } of down) {
    if (named.length === alertChecksShownMax) break;
    const check = read.check(id, nowMs);
    if (!check || !isNotifiedOf(read, check, channel)) continue;
    const sinceMs = read.lastChange(id)?.atMs ?? nowMs;
    const words = `${outbox.reasonOf(check, channel)} Down for ${shortSpan(nowMs - sinceMs)}.`;
    named.push({ name: nameOf(check), text: words.trim() });
  }
  return { named, more: down.length - named.length + read.unlistedCount(incident.id) };
}

function isNotifiedOf(read: EngineRead, { config }: Check, { id }: Channel): boolean {
  const recipients = recipientsOf(config.channels, { channelOf: (one) => read.channel(one) });
  return [...recipients].some((one) => one.id === id);
}

/** Which project it is in: somebody may be on call for several. */
function projectOf(
  { engine: { read } }: WebContext,
  { projectId }: Pick<Check, 'projectId'>,
): Pick<PlainPage, 'of'> {
  const name = read.project(projectId)?.name ?? '';
  return name === '' ? {} : { of: `Project ${name}` };
}

function linkToIncident({ baseUrl }: WebContext, { projectId, id }: Incident): { text: string; url: string } {
  return { text: 'View incident', url: baseUrl() + incidentPath(projectId, id) };
}

function ask(context: WebContext, alert: Alert, asked: 'acknowledge' | 'snooze', nowMs: number): HttpReply {
  const check = context.engine.read.check(alert.check.id, nowMs);
  if (!check) return outdated;
  const incident = incidentOf(context, alert);
  if (incident) return askAboutIncident(context, incident, { alert, asked, nowMs });
  const { acknowledgement, snooze } = check;
  if (isOver(context, { ...alert, check }, nowMs)) return over(context, check);
  const since = shortSpan(nowMs - alert.atMs);
  const isDown = check.state.status === 'down';
  const reader = readerOf(context, alert.channel, nowMs);
  const isSnoozed = snooze !== undefined && snooze.untilMs > nowMs;
  const said = [
    isDown ? `Down for ${since}.` : `Late for ${since}.`,
    acknowledgement ? `Acknowledged by ${acknowledgement.by}: no reminders until it is up again.` : '',
    isSnoozed ? `Snoozed by ${snooze.by} until ${timeText(snooze.untilMs, reader)}.` : '',
  ];
  const acknowledge = isDown && !acknowledgement ? [{ text: 'Acknowledge', does: 'acknowledge' }] : [];
  const output = outputIn(context, alert);
  const reason = context.commands.outbox.reasonOf(check, alert.channel);
  return plainPage(200, {
    title: `${nameOf(check)} is ${isDown ? 'down' : 'late'}`,
    ...projectOf(context, check),
    ...(reason === '' ? {} : { reason }),
    text: said.filter((sentence) => sentence !== '').join(' '),
    ...(output === null ? {} : { output }),
    choices: choicesOf(asked, reader, {
      acknowledge,
      isAcknowledged: acknowledgement !== undefined,
      isSnoozed,
    }),
    ...runbookOf(check),
    link: linkTo(context, check),
  });
}

interface Held {
  readonly acknowledge: readonly PlainChoice[];
  readonly isAcknowledged: boolean;
  readonly isSnoozed: boolean;
}

/** The most likely one first; to take something back is the least. */
function choicesOf(
  asked: Asked['asked'],
  reader: Reader,
  { acknowledge, isAcknowledged, isSnoozed }: Held,
): readonly PlainChoice[] {
  const spans = snoozeChoices(reader);
  return [
    ...(asked === 'snooze' ? [...spans, ...acknowledge] : [...acknowledge, ...spans]),
    ...(isAcknowledged ? [withdraw] : []),
    ...(isSnoozed ? [endSnooze] : []),
  ];
}

/** Who reads the page: nobody knows, but whom the integration notifies. */
function readerOf({ commands }: WebContext, channel: Channel, nowMs: number): Reader {
  return { nowMs, timeZone: settingsOf(channel).timeZone || commands.reports.timeZone };
}

/** As in a mail. */
function runbookOf({ config }: Check): Pick<PlainPage, 'runbook'> {
  const url = runbookIn(config.desc);
  return url === '' ? {} : { runbook: { text: 'Open runbook', url } };
}

async function act(context: WebContext, alert: Alert, request: HttpRequest): Promise<HttpReply> {
  const { receivedAtMs: nowMs, clientAddr, idempotencyKey } = request;
  const { check, channel } = alert;
  const form = new URLSearchParams(Buffer.from(request.body).toString());
  const does = form.get('do') ?? '';
  const by = recipientOf(channel);
  const change = context.engine.changeBy({
    actor: actorOf('recipient', by, '', clientAddr),
    atMs: nowMs,
    idempotencyKey,
  });
  const incident = incidentOf(context, alert);
  const asked = { does, by, note: (form.get('note') ?? '').slice(0, incidentNoteCharsMax), nowMs };
  const done = incident && (await actOnIncident(context, change, { ...asked, alert, incident }));
  if (done) return done;
  if (isOver(context, alert, nowMs)) return over(context, check);
  return actOnCheck(context, change, { ...asked, alert });
}

interface Act {
  readonly does: string;
  readonly by: string;
  readonly note: string;
  readonly nowMs: number;
  readonly alert: Alert;
}

/** Null for what is no action on an incident. */
async function actOnIncident(
  context: WebContext,
  change: EngineChange,
  { does, by, note, nowMs, alert, incident }: Act & { readonly incident: Incident },
): Promise<HttpReply | null> {
  const { check, channel } = alert;
  const link = linkToIncident(context, incident);
  if (does === 'acknowledge') {
    await change.acknowledgeIncident(incident.id, { by, note }, nowMs);
    const said =
      'Nobody is reminded of it, and it goes to nobody else, until all of its checks are up again.';
    return acknowledged(said, check, link);
  }
  if (does === 'unacknowledge') {
    await change.unacknowledgeIncident(incident.id, { by, note: '' }, nowMs);
    return withdrawn(link);
  }
  const isAcknowledged = incident.stage === 'acknowledged';
  if (does === endSnooze.does) {
    const held = snoozedIn(context, incident, nowMs);
    await Promise.all(held.map((id) => change.unsnoozeCheck(id, nowMs)));
    return snoozeEnded('its checks', { isAcknowledged, link });
  }
  const reader = readerOf(context, channel, nowMs);
  const untilMs = snoozeEnd(does, reader);
  if (untilMs === null) return null;
  const down = incident.checks.filter(({ leftMs }) => leftMs === 0);
  await Promise.all(down.map(({ id }) => change.snoozeCheck(id, { untilMs, by }, nowMs)));
  const said = { of: 'the checks that are down', until: timeText(untilMs, reader) };
  return snoozed(said, check, { isAcknowledged, link });
}

/** The checks of an incident that are snoozed. */
function snoozedIn({ engine }: WebContext, { checks }: Incident, nowMs: number): readonly CheckId[] {
  return checks.flatMap(({ id, leftMs }) => {
    const snooze = leftMs === 0 ? engine.read.check(id, nowMs)?.snooze : undefined;
    return snooze !== undefined && snooze.untilMs > nowMs ? [id] : [];
  });
}

async function actOnCheck(
  context: WebContext,
  change: EngineChange,
  { does, by, nowMs, alert: { check, channel } }: Act,
): Promise<HttpReply> {
  const link = linkTo(context, check);
  const reader = readerOf(context, channel, nowMs);
  const untilMs = snoozeEnd(does, reader);
  if (untilMs !== null) {
    const { acknowledgement } = await change.snoozeCheck(check.id, { untilMs, by }, nowMs);
    const said = { of: nameOf(check), until: timeText(untilMs, reader) };
    return snoozed(said, check, { isAcknowledged: acknowledgement !== undefined, link });
  }
  if (does === endSnooze.does) {
    const { acknowledgement } = await change.unsnoozeCheck(check.id, nowMs);
    return snoozeEnded(nameOf(check), { isAcknowledged: acknowledgement !== undefined, link });
  }
  if (does === 'unacknowledge') {
    await change.unacknowledgeCheck(check.id, nowMs);
    return withdrawn(link);
  }
  if (does !== 'acknowledge')
    return plainPage(400, { title: 'Nothing was changed', text: 'The request names no action.', link });
  await change.acknowledgeCheck(check.id, by, nowMs);
  const said = `No reminders about ${nameOf(check)} are sent until it is up again.`;
  return acknowledged(said, check, link);
}

function acknowledged(said: string, check: Check, link: PlainLink): HttpReply {
  const title = 'Acknowledged';
  return plainPage(200, { title, text: said, choices: [withdraw], ...runbookOf(check), link });
}

interface AfterSnooze {
  /** An acknowledgement holds beyond the snooze. */
  readonly isAcknowledged: boolean;
  readonly link: PlainLink;
}

interface SnoozeWords {
  /** What it is about. */
  readonly of: string;
  readonly until: string;
}

function snoozed({ of, until }: SnoozeWords, check: Check, { isAcknowledged, link }: AfterSnooze): HttpReply {
  const then = isAcknowledged
    ? 'It is acknowledged, too: nothing is sent after that either, until it is up again.'
    : 'What is still wrong then is sent again.';
  return plainPage(200, {
    title: `Snoozed until ${until}`,
    text: `Nothing is sent about ${of} until then. ${then}`,
    choices: [endSnooze],
    ...runbookOf(check),
    link,
  });
}

function snoozeEnded(of: string, { isAcknowledged, link }: AfterSnooze): HttpReply {
  const then = isAcknowledged
    ? 'It is still acknowledged: nothing is sent until it is up again.'
    : `What is wrong with ${of} is sent again.`;
  return plainPage(200, { title: 'Snooze ended', text: then, link });
}

function withdrawn(link: PlainLink): HttpReply {
  const said =
    'Nobody takes care of it now: reminders go on, and it can be acknowledged again by the same link.';
  return plainPage(200, { title: 'Acknowledgement withdrawn', text: said, link });
}

function over(context: WebContext, check: Check): HttpReply {
  const { status } = check.state;
  const isWrong = status === 'down' || status === 'grace';
  return plainPage(200, {
    title: 'This is over',
    text: isWrong
      ? `${nameOf(check)} was up again since this alert. What is wrong now has an alert of its own.`
      : `${nameOf(check)} is not down any more.`,
    link: linkTo(context, check),
  });
}

function failed(error: unknown): HttpReply {
  if (!(error instanceof KnellError)) throw error;
  if (error.code === 'store-full') return storeFullPage;
  // The check came up or was deleted between the look and the change.
  return plainPage(409, { title: 'Nothing was changed', text: `${error.message}.` });
}

/** The button of an app may send it from another site, where the address is all that it needs. */
function acrossOrigins(reply: HttpReply): HttpReply {
  return { ...reply, headers: [...reply.headers, ['Access-Control-Allow-Origin', '*']] };
}

function linkTo({ baseUrl }: WebContext, { projectId, id }: Check): { text: string; url: string } {
  return { text: 'View check', url: baseUrl() + checkPath(projectId, uniqueKeyOf(id)) };
}

function nameOf({ config, id }: Check): string {
  return config.name || uniqueKeyOf(id).slice(0, 8);
}

/** The name of the recipient in the log: the address of an email, else the name of the integration. */
function recipientOf({ kind, name, value }: Channel): string {
  const address = kind === 'email' ? channelFields(kind, value).value : '';
  const by = typeof address === 'string' && address !== '' ? address : name || kinds[kind].form.title;
  return [...by].slice(0, snoozedByLengthMax).join('');
}

/** Returns the last output of the job, as the mail of the alert has it; null if there is none, or if it is the source of a mail. */
function outputIn({ engine }: WebContext, { check, atMs }: Alert): string | null {
  const pings = engine.read.pings(check.id, alertPingsSearchedMax);
  const [ping] = pingsUntil(pings, { atMs, cause: 'fail' });
  if (!ping || ping.bodyBytes === 0 || ping.scheme === 'email' || ping.signal !== 'fail') return null;
  const body = engine.read.body(check.id, ping.n);
  return body && shownOutputText(new TextDecoder().decode(body), true);
}
