/**
 * The links in alerts: a page on which anyone who has the alert acknowledges or snoozes the check, without an account. Its
 * address is signed, and belongs to one outage of one check. `mail-links` has the links that belong to an address.
 * Invariants: only POST changes anything, since chats and mail scanners follow every link. After the outage, or once the
 * integration is deleted or has another address, the link changes nothing, but for a snooze of its own reader, which it ends; nor does
 * any while owners have them turned off.
 */

import { actorOf, type Origin } from '../../../domain/accounts/audit.ts';
import { checkPath, incidentPath } from '../../../domain/accounts/page-address.ts';
import { type Channel, settingsOf } from '../../../domain/accounts/project.ts';
import { roleInProject } from '../../../domain/accounts/user.ts';
import { type Incident, lastNote, lastNotes, worstFirst } from '../../../domain/alerting/incident.ts';
import { incidentTitle } from '../../../domain/alerting/incident-words.ts';
import { windowFor } from '../../../domain/alerting/maintenance.ts';
import type { Check } from '../../../domain/check/check.ts';
import { pingsUntil } from '../../../domain/check/made-by.ts';
import { acceptsNotification, isSentIncidents, recipientsOf } from '../../../domain/deliveries/delivery.ts';
import { incidentNoteCharsMax, snoozedByLengthMax } from '../../../domain/limits.ts';
import { capital } from '../../../domain/words/capital.ts';
import { shownOutputText } from '../../../domain/words/output-lines.ts';
import { shortSpan } from '../../../domain/words/span-words.ts';
import { type Reader, timeText, untilText } from '../../../domain/words/time-words.ts';
import { runbookIn } from '../../../domain/words/web-address.ts';
import type { EngineChange, EngineRead } from '../../../engine/contract/engine.ts';
import { channelFields } from '../../../integrations/channel-value.ts';
import { titles } from '../../../integrations/contract/titles.ts';
import { KnellError } from '../../../lib/errors.ts';
import { type CheckId, uniqueKeyOf } from '../../../lib/ids.ts';
import { namesNow } from '../../api/incidents/names-now.ts';
import {
  alertChecksShownMax,
  alertLinkMsMax,
  alertNotesShownMax,
  alertPingsSearchedMax,
} from '../../limits.ts';
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
import { originOf, principalOf } from '../calls/principal.ts';
import {
  donePage,
  type KeptBack,
  keptBackIn,
  keptBackOf,
  keptBackWords,
  type Subject,
  saveNote,
  withdraw,
} from './alert-done.ts';
import { incidentThen, type Outage, overPage, unsavedNote } from './alert-over.ts';
import { endSnooze, snoozeChoices, snoozeEnd } from './alert-snoozes.ts';
import { brokenPage, outdatedPage, storeFullPage, tooManyPage, unfitPage } from './mail-links.ts';

const noteField = {
  note: {
    label: 'A note for the others, saved with any of these',
    charsMax: incidentNoteCharsMax,
    choice: saveNote,
  },
} as const satisfies Pick<PlainPage, 'note'>;

/** Of a note that was saved with nothing in it. */
const emptyNoteField: Pick<PlainPage, 'note'> = {
  note: { ...noteField.note, error: 'Write a note first.' },
};

const path = /^\/alert\/(.*)$/;

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
  if ('status' in alert) return alert;
  if (!context.serverSettings.current.alertLinks) return turnedOff(context, alert);
  if (method === 'GET' || method === 'HEAD') {
    const query = new URLSearchParams(request.query);
    const asked = query.has('snooze') ? 'snooze' : 'acknowledge';
    const done = query.get('done') ?? '';
    const look = { asked, done, isNoted: query.has('noted'), isLate: query.has('late'), nowMs } as const;
    return context.engine.read.durably(() => shown(context, alert, look));
  }
  if (method !== 'POST') return text(405, 'method not allowed', [['Allow', 'GET, HEAD, POST']]);
  return act(context, alert, request)
    .then(({ reply, isLate }) =>
      isByForm(request) && reply.status === 200 ? doneAt(request, isLate) : acrossOrigins(reply),
    )
    .catch(failed);
}

/** Whether a browser shows the answer. The button of an app does not, and takes any. */
function isByForm({ headers }: HttpRequest): boolean {
  return /\btext\/html\b/.test(headers.accept ?? '');
}

/** Sends a browser to the page of what was done: one that it can go back to and load again without sending the form again. */
function doneAt({ body }: HttpRequest, isLate: boolean): HttpReply {
  const form = new URLSearchParams(Buffer.from(body).toString());
  const to = new URLSearchParams({ done: form.get('do') ?? '' });
  if (isLate) to.set('late', '');
  if ((form.get('note') ?? '').trim() !== '') to.set('noted', '');
  return { status: 303, headers: [['Location', `?${to}`]], body: '' };
}

/** A link that is none may be anybody's: its page names nothing but this Knell. */
function homeOf({ baseUrl }: WebContext): PlainLink {
  return { text: 'Go to Knell', url: `${baseUrl()}/` };
}

function outdated(context: WebContext): HttpReply {
  return outdatedPage(
    'The check that it was for was deleted or is in another project now, or the alert is more than a year old.',
    homeOf(context),
  );
}

/** It names no check: a link may be in other hands than those that it was for, which may be why they are turned off. */
function turnedOff(context: WebContext, { check }: Alert): HttpReply {
  return plainPage(403, {
    title: 'Links in alerts are turned off',
    text: 'An owner of this Knell has turned them off. Sign in to acknowledge or snooze the check on its page.',
    link: linkTo(context, check),
  });
}

const goneIntegration = 'the integration that it was for was deleted, or has another address now.';

/** Returns the page that says why where there is no such alert. */
function alertOf(context: WebContext, token: string, nowMs: number): Alert | HttpReply {
  const { engine, tokens } = context;
  const ref = tokens.alertRefOf(token);
  if (ref === null) return brokenPage('alert', homeOf(context));
  const channel = engine.read.channel(ref.channelId);
  if (!channel || !tokens.isAlertLink(token, channel))
    return unfitPage('alert', goneIntegration, homeOf(context));
  const check = engine.read.checkByBadge(ref.badgeId, nowMs);
  const isRecent = nowMs - ref.atMs <= alertLinkMsMax;
  if (!check || channel.projectId !== check.projectId || !isRecent) return outdated(context);
  return { check, channel, atMs: ref.atMs };
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

interface Looked {
  readonly asked: 'acknowledge' | 'snooze';
  /** What the reader has just done; empty for nothing. */
  readonly done: string;
  /** Whether a note was given with it. */
  readonly isNoted: boolean;
  /** Whether it was over by then. */
  readonly isLate: boolean;
  readonly nowMs: number;
}

interface Asked extends Pick<Looked, 'asked' | 'nowMs'> {
  readonly alert: Alert;
  /** Whether the reader has just saved a note, and nothing else. */
  readonly hasSaved: boolean;
  readonly noteField: Pick<PlainPage, 'note'>;
}

function savedWords(hasSaved: boolean): string {
  return hasSaved ? 'Your note was saved. ' : '';
}

function askAboutIncident(
  context: WebContext,
  incident: Incident,
  { alert, asked, hasSaved, noteField, nowMs }: Asked,
): HttpReply {
  const { stage, acknowledgedBy, acknowledgedMs, openedMs } = incident;
  const reader = readerOf(context, alert.channel, nowMs);
  const kept = keptBackFrom(context, incident, nowMs);
  const taken = [
    stage === 'acknowledged'
      ? `Acknowledged by ${acknowledgedBy} at ${timeText(acknowledgedMs, reader)}.`
      : '',
    kept === null ? '' : `${capital(keptBackWords(kept, reader))}.`,
  ].filter((sentence) => sentence !== '');
  const since = `It began ${shortSpan(nowMs - openedMs)} ago.`;
  const output = outputIn(context, alert);
  const down = downIn(context, incident, alert.channel, nowMs);
  const acknowledge = stage === 'open' ? [{ text: 'Acknowledge', does: 'acknowledge' }] : [];
  return plainPage(200, {
    title: incidentTitle(incident, namesNow(incident, context.engine.read, nowMs)),
    look: 'down',
    ...projectOf(context, incident),
    ...(taken.length === 0 ? {} : { taken: { text: taken.join(' '), isSettled: stage === 'acknowledged' } }),
    text: `${savedWords(hasSaved)}${since}`,
    notes: notesOf(incident),
    items: down.named,
    more: down.more,
    ...(output === null ? {} : { output }),
    choices: choicesOf(asked, reader, {
      acknowledge,
      isAcknowledged: stage === 'acknowledged',
      isSnoozed: snoozedIn(context, incident, nowMs).length > 0,
    }),
    ...runbookOf(alert.check),
    ...noteField,
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

/** Whether any integration that is notified of it asks for reminders: an acknowledgement stops those of all. */
function isReminded({ engine: { read } }: WebContext, { config }: Check): boolean {
  const recipients = recipientsOf(config.channels, { channelOf: (one) => read.channel(one) });
  return [...recipients].some((one) => settingsOf(one).repeatS > 0 && acceptsNotification(one, 'down'));
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

/** The page of an alert: what was done, as long as that holds, else what can be done. */
function shown(context: WebContext, alert: Alert, look: Looked): HttpReply {
  const { asked, done, isNoted, isLate, nowMs } = look;
  const check = context.engine.read.check(alert.check.id, nowMs);
  if (!check) return outdated(context);
  const reader = readerOf(context, alert.channel, nowMs);
  const incident = incidentOf(context, alert);
  const isSaving = done === saveNote.does;
  const field = isSaving && !isNoted ? emptyNoteField : noteField;
  const asking = { alert, asked, nowMs, hasSaved: isNoted && isSaving, noteField: field };
  if (incident) {
    const held = snoozedIn(context, incident, nowMs).map(({ untilMs }) => untilMs);
    const hasReminders = incident.checks.some(({ id, leftMs }) => {
      const down = leftMs === 0 ? context.engine.read.check(id, nowMs) : null;
      return down !== null && isReminded(context, down);
    });
    const subject: Subject = {
      ...(isNoted ? { noted: notedWords(incident) } : {}),
      snoozed: 'the checks that are down',
      unsnoozed: 'its checks',
      acknowledged: hasReminders
        ? 'Nobody is reminded of it, and it goes to nobody else, until all of its checks are up again.'
        : 'It goes to nobody else until all of its checks are up again.',
      hasReminders,
      isAcknowledged: incident.stage === 'acknowledged',
      isDown: true,
      snoozedUntilMs: Math.max(0, ...held),
      keptBack: keptBackFrom(context, incident, nowMs),
      more: { ...runbookOf(check), ...noteField, link: linkToIncident(context, incident) },
    };
    return donePage(subject, done, reader) ?? askAboutIncident(context, incident, asking);
  }
  if (isOver(context, { ...alert, check }, nowMs))
    return over(context, { ...alert, check }, { isNoted, done, isLate, nowMs });
  const hasReminders = isReminded(context, check);
  const subject: Subject = {
    ...(isNoted ? { noted: notedWords(lonelyIncidentOf(context, check)) } : {}),
    snoozed: nameOf(check),
    unsnoozed: nameOf(check),
    acknowledged: hasReminders
      ? `No reminders about ${nameOf(check)} are sent until it is up again.`
      : `${nameOf(check)} is acknowledged until it is up again.`,
    hasReminders,
    isAcknowledged: check.acknowledgement !== undefined,
    isDown: check.state.status === 'down',
    snoozedUntilMs: snoozeEndOf(check, nowMs),
    keptBack: keptBackNow(context, check, nowMs),
    more: { ...runbookOf(check), ...noteFieldOf(context, check, noteField), link: linkTo(context, check) },
  };
  return donePage(subject, done, reader) ?? ask(context, check, asking);
}

function ask(
  context: WebContext,
  check: Check,
  { alert, asked, hasSaved, noteField, nowMs }: Asked,
): HttpReply {
  const { acknowledgement, snooze } = check;
  const since = shortSpan(nowMs - alert.atMs);
  const isDown = check.state.status === 'down';
  const reader = readerOf(context, alert.channel, nowMs);
  const isSnoozed = snooze !== undefined && snooze.untilMs > nowMs;
  const kept = keptBackNow(context, check, nowMs);
  const hasReminders = isReminded(context, check);
  const taken = [
    acknowledgement
      ? `Acknowledged by ${acknowledgement.by} at ${timeText(acknowledgement.atMs, reader)}${hasReminders ? ': no reminders until it is up again' : ''}.`
      : '',
    isSnoozed ? `Snoozed by ${snooze.by} until ${untilText(snooze.untilMs, reader)}.` : '',
    kept === null ? '' : keptBackText(check, kept, { hasReminders, reader }),
  ].filter((sentence) => sentence !== '');
  const acknowledge = isDown && !acknowledgement ? [{ text: 'Acknowledge', does: 'acknowledge' }] : [];
  const own = lonelyIncidentOf(context, check);
  const output = outputIn(context, alert);
  const reason = context.commands.outbox.reasonOf(check, alert.channel);
  return plainPage(200, {
    title: `${nameOf(check)} is ${isDown ? 'down' : 'late'}`,
    look: isDown ? 'down' : 'late',
    ...projectOf(context, check),
    ...(reason === '' ? {} : { reason }),
    ...(taken.length === 0
      ? {}
      : { taken: { text: taken.join(' '), isSettled: acknowledgement !== undefined } }),
    text: `${savedWords(hasSaved)}${isDown ? 'Down' : 'Late'} for ${since}.`,
    ...(own ? { notes: notesOf(own) } : {}),
    ...(output === null ? {} : { output }),
    choices: choicesOf(asked, reader, {
      acknowledge,
      isAcknowledged: acknowledgement !== undefined,
      isSnoozed,
    }),
    ...runbookOf(check),
    ...noteFieldOf(context, check, noteField),
    link: linkTo(context, check),
  });
}

/** What went down before the maintenance began was sent: it is the reminders that wait. */
function keptBackText(
  { hold, snooze }: Check,
  kept: KeptBack,
  { hasReminders, reader }: Pick<Subject, 'hasReminders'> & { readonly reader: Reader },
): string {
  const why = capital(keptBackWords(kept, reader));
  if (snooze || (!hold && !hasReminders)) return `${why}.`;
  const what = hold ? 'alerts are held back' : 'reminders are held back';
  return Number.isFinite(kept.untilMs) ? `${why}: ${what} until then.` : `${why}: ${what}.`;
}

function keptBackNow({ engine: { read } }: WebContext, check: Check, nowMs: number): KeptBack | null {
  return keptBackOf(check, windowFor(read.maintenance(check.projectId), check, nowMs)?.untilMs ?? 0);
}

function keptBackFrom(context: WebContext, { checks }: Incident, nowMs: number): KeptBack | null {
  const down = checks.flatMap(({ id, leftMs }) => {
    const check = leftMs === 0 ? context.engine.read.check(id, nowMs) : null;
    return check ? [keptBackNow(context, check, nowMs)] : [];
  });
  return keptBackIn(down);
}

/** A note belongs to an incident. */
function noteFieldOf(
  { engine }: WebContext,
  { id }: Check,
  field: Pick<PlainPage, 'note'>,
): Pick<PlainPage, 'note'> {
  return engine.read.openIncidentWith(id) ? field : {};
}

/** The notes that people left last: the next one who is woken reads them here. */
function notesOf(incident: Incident): readonly PlainItem[] {
  return lastNotes(incident, alertNotesShownMax).map(({ by, text }) => ({
    name: by || 'Somebody',
    text: `“${text}”`,
  }));
}

/**
 * Somebody who gave a note reads that it is there for the others. Null for an incident of several checks, whose notes are not for
 * those who are notified of one.
 */
function notedWords(incident: Incident | null): string {
  if (!incident) return ' The note was saved in the incident.';
  const last = lastNote(incident);
  return last === null ? '' : ` The note was saved: “${last.text}”`;
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

/** Who reads the page: nobody knows, but whom the integration notifies. Its zone is called as in the alert that has the link. */
function readerOf({ commands }: WebContext, channel: Channel, nowMs: number): Reader {
  const timeZone = settingsOf(channel).timeZone || commands.reports.timeZone;
  return { nowMs, timeZone, isZoneNamed: channel.kind === 'email' };
}

/** As in a mail. */
function runbookOf({ config }: Check): Pick<PlainPage, 'runbook'> {
  const url = runbookIn(config.desc);
  return url === '' ? {} : { runbook: { text: 'Open runbook', url } };
}

/**
 * Who has pressed: somebody who is signed in and sees the project, else the recipient of the alert. The cookie comes from this site's
 * own pages only (SameSite).
 */
function whoActs(
  context: WebContext,
  { check, channel }: Alert,
  request: HttpRequest,
): { readonly by: string; readonly origin: Origin } {
  const { receivedAtMs: atMs, clientAddr, idempotencyKey } = request;
  const user = principalOf(context, request)?.user;
  if (user && roleInProject(user, check.projectId) !== 'none')
    return { by: user.name, origin: originOf(user, request) };
  const by = recipientOf(channel);
  return { by, origin: { actor: actorOf('recipient', by, '', clientAddr), atMs, idempotencyKey } };
}

interface Acted {
  readonly reply: HttpReply;
  /** Whether what was asked for came to nothing, as it was over by then. */
  readonly isLate: boolean;
}

async function act(context: WebContext, alert: Alert, request: HttpRequest): Promise<Acted> {
  const { receivedAtMs: nowMs } = request;
  const form = new URLSearchParams(Buffer.from(request.body).toString());
  const does = form.get('do') ?? '';
  const { by, origin } = whoActs(context, alert, request);
  const change = context.engine.changeBy(origin);
  const note = (form.get('note') ?? '').trim().slice(0, incidentNoteCharsMax);
  const incident = incidentOf(context, alert);
  const asked = { does, by, note, nowMs, alert };
  const noted = incident ?? context.engine.read.openIncidentWith(alert.check.id);
  const isDone =
    (incident && (await isDoneTo(incident, context, change, asked))) ||
    (!isOver(context, alert, nowMs) && (await isDoneToCheck(context, change, asked)));
  if (isDone && note !== '') {
    if (!noted) return inTime(unsavedNote(nameOf(alert.check), note, linkTo(context, alert.check)));
    // The acknowledgement of an incident has the note in its own record.
    const hasNote = does === 'acknowledge' && (incident ?? lonelyIncidentOf(context, alert.check)) !== null;
    if (!hasNote) await change.noteIncident(noted.id, { by, note }, nowMs);
  }
  if (isDone) return inTime(done(context, asked));
  if (isOver(context, alert, nowMs)) {
    // Who has snoozed it and comes back to the page means just that, also once the check is up.
    if (does === endSnooze.does && alert.check.snooze?.by === by)
      await change.unsnoozeCheck(alert.check.id, nowMs);
    return { reply: await overNow(context, change, asked), isLate: true };
  }
  const link = linkTo(context, alert.check);
  return inTime(plainPage(400, { title: 'Nothing was changed', text: 'The request names no action.', link }));
}

function inTime(reply: HttpReply): Acted {
  return { reply, isLate: false };
}

interface Act {
  readonly does: string;
  readonly by: string;
  readonly note: string;
  readonly nowMs: number;
  readonly alert: Alert;
}

/** What the act has come to; where somebody else was faster, what there is by now. */
function done(context: WebContext, { does, note, alert, nowMs }: Act): HttpReply {
  const look = { asked: 'acknowledge', done: does, isNoted: note !== '', isLate: false, nowMs } as const;
  return shown(context, alert, look);
}

/** False for what is no action on an incident. */
async function isDoneTo(
  incident: Incident,
  context: WebContext,
  change: EngineChange,
  { does, by, note, nowMs, alert: { channel } }: Act,
): Promise<boolean> {
  const untilMs = snoozeEnd(does, readerOf(context, channel, nowMs));
  const down = incident.checks.filter(({ leftMs }) => leftMs === 0);
  if (does === 'acknowledge') await change.acknowledgeIncident(incident.id, { by, note }, nowMs);
  else if (does === 'unacknowledge') await change.unacknowledgeIncident(incident.id, { by, note: '' }, nowMs);
  else if (does === endSnooze.does)
    await Promise.all(snoozedIn(context, incident, nowMs).map(({ id }) => change.unsnoozeCheck(id, nowMs)));
  else if (untilMs !== null)
    await Promise.all(down.map(({ id }) => change.snoozeCheck(id, { untilMs, by }, nowMs)));
  else return does === saveNote.does;
  return true;
}

/** A check with its snooze. */
interface Snoozed {
  readonly id: CheckId;
  readonly untilMs: number;
}

/** The checks of an incident that are snoozed. */
function snoozedIn({ engine }: WebContext, { checks }: Incident, nowMs: number): readonly Snoozed[] {
  return checks.flatMap(({ id, leftMs }) => {
    const untilMs = leftMs === 0 ? snoozeEndOf(engine.read.check(id, nowMs), nowMs) : 0;
    return untilMs > 0 ? [{ id, untilMs }] : [];
  });
}

/** 0 for a check that is not snoozed. */
function snoozeEndOf(check: Check | null, nowMs: number): number {
  const untilMs = check?.snooze?.untilMs ?? 0;
  return untilMs > nowMs ? untilMs : 0;
}

/** False for what is no action. */
async function isDoneToCheck(
  context: WebContext,
  change: EngineChange,
  { does, by, note, nowMs, alert: { check, channel } }: Act,
): Promise<boolean> {
  const untilMs = snoozeEnd(does, readerOf(context, channel, nowMs));
  const incident = note === '' ? null : lonelyIncidentOf(context, check);
  if (does === 'acknowledge' && incident) await change.acknowledgeIncident(incident.id, { by, note }, nowMs);
  else if (does === 'acknowledge') await change.acknowledgeCheck(check.id, by, nowMs);
  else if (does === 'unacknowledge') await change.unacknowledgeCheck(check.id, nowMs);
  else if (does === endSnooze.does) await change.unsnoozeCheck(check.id, nowMs);
  else if (untilMs !== null) await change.snoozeCheck(check.id, { untilMs, by }, nowMs);
  else return does === saveNote.does;
  return true;
}

/** The open incident of this check and no other, whose timeline takes a note; null for none. */
function lonelyIncidentOf({ engine }: WebContext, { id }: Check): Incident | null {
  const incident = engine.read.openIncidentWith(id);
  return incident && incident.checks.length === 1 ? incident : null;
}

/** Somebody acts on what has ended meanwhile. What was written about it is kept all the same. */
async function overNow(
  context: WebContext,
  change: EngineChange,
  { by, does: done, note, nowMs, alert }: Act,
): Promise<HttpReply> {
  if (note === '') return over(context, alert, { isNoted: false, done, isLate: true, nowMs });
  const incident = incidentThen(context.engine.read, outageOf(alert), nowMs);
  if (!incident) return unsavedNote(nameOf(alert.check), note, linkTo(context, alert.check));
  await change.noteIncident(incident.id, { by, note }, nowMs);
  return over(context, alert, { isNoted: true, done, isLate: true, nowMs });
}

function over(
  context: WebContext,
  alert: Alert,
  { isNoted, done, isLate, nowMs }: Omit<Looked, 'asked'>,
): HttpReply {
  const reader = readerOf(context, alert.channel, nowMs);
  const link = linkTo(context, alert.check);
  const snooze = context.engine.read.check(alert.check.id, nowMs)?.snooze;
  const isSnoozed = snooze !== undefined && snooze.untilMs > nowMs;
  const held = isSnoozed ? { ...snooze, isOwn: snooze.by === recipientOf(alert.channel) } : null;
  const hasEnded = done === endSnooze.does && !isSnoozed;
  const undone = isLate ? undoneWords(done, reader) : '';
  const now = { reader, isNoted, link, snooze: held, hasEnded, undone };
  return overPage(context.engine.read, outageOf(alert), now);
}

/** What the reader wanted, and did not get as it is over; empty for what changes nothing. */
function undoneWords(does: string, reader: Reader): string {
  if (does === 'acknowledge') return 'Nothing was acknowledged.';
  return snoozeEnd(does, reader) === null ? '' : 'Nothing was snoozed.';
}

function outageOf({ check, atMs }: Alert): Outage {
  return { check, name: nameOf(check), atMs };
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
  const by = typeof address === 'string' && address !== '' ? address : name || titles[kind];
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
