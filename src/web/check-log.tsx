/** What happened to a check, newest first: its pings, its status changes, what was sent about it. Some at a time, by kind. */
import { useState } from 'preact/hooks';
import { channelForms } from '../domain/channel-form.ts';
import type { Cause, StatusChange } from '../domain/flip.ts';
import { type Signal, signals } from '../domain/ping.ts';
import { channelKinds } from '../domain/project.ts';
import { type ApiNotification, type ApiPing, apiPath } from './api-check.ts';
import { Time } from './bits.tsx';
import { BodyViewer } from './body-viewer.tsx';
import { StatusMark } from './status-mark.tsx';
import { spanWords } from './words.ts';

const perPage = 25;

const signalWords: Readonly<Record<Signal, string>> = {
  success: 'Success',
  start: 'Start',
  fail: 'Failure',
  log: 'Log',
  ign: 'Ignored',
};

const causeWords: Readonly<Record<Cause, string>> = {
  success: 'ping received',
  fail: 'the job reported a failure',
  start: 'run started',
  timeout: 'missed ping',
  update: 'schedule changed',
  pause: 'paused by hand',
  resume: 'resumed by hand',
};

const outcomeWords: Readonly<Record<ApiNotification['outcome'], string>> = {
  delivered: 'Sent',
  failed: 'Not sent',
  superseded: 'Skipped',
};

const filterWords: Readonly<Record<string, string>> = {
  '': 'Everything',
  ping: 'Pings',
  ...Object.fromEntries(signals.map((signal) => [signal, `– ${signalWords[signal]}`])),
  change: 'Status changes',
  notification: 'Notifications',
};

type Entry =
  | { readonly what: 'ping'; readonly atMs: number; readonly ping: ApiPing }
  | { readonly what: 'change'; readonly atMs: number; readonly change: StatusChange }
  | { readonly what: 'notification'; readonly atMs: number; readonly sent: ApiNotification };

/** Where times are equal a ping comes before the change that it caused, and that before what was sent about it. */
const order = { notification: 0, change: 1, ping: 2 } as const;

interface CheckLogProps {
  readonly pings: readonly ApiPing[];
  readonly changes: readonly StatusChange[];
  readonly notifications: readonly ApiNotification[];
  readonly project: string;
  readonly id: string;
  readonly nowMs: number;
}

export function CheckLog({ project, id, nowMs, ...log }: CheckLogProps) {
  const [filter, setFilter] = useState('');
  const [shown, setShown] = useState(perPage);
  const [open, setOpen] = useState(0);
  const entries = entriesOf(log);
  const wanted = entries.filter((entry) => matches(entry, filter));
  return (
    <section>
      <h2>Log</h2>
      {entries.length === 0 && <p class="faint">No pings yet. Send one to the URL above.</p>}
      {entries.length > 0 && (
        <select
          aria-label="Filter the log"
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        >
          {Object.entries(filterWords).map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      )}
      <ol class="log">
        {wanted.slice(0, shown).map((entry) => (
          <li key={keyOf(entry)} class={entry.what}>
            {entry.what === 'change' && <ChangeLine change={entry.change} nowMs={nowMs} />}
            {entry.what === 'notification' && <NotificationLine sent={entry.sent} nowMs={nowMs} />}
            {entry.what === 'ping' && (
              <Ping
                ping={entry.ping}
                nowMs={nowMs}
                path={apiPath(project, `checks/${id}/pings/${entry.ping.n}/body`)}
                isOpen={open === entry.ping.n}
                toggle={() => setOpen(open === entry.ping.n ? 0 : entry.ping.n)}
              />
            )}
          </li>
        ))}
      </ol>
      {wanted.length > shown && (
        <button type="button" onClick={() => setShown(shown + 4 * perPage)}>
          Show more ({wanted.length - shown})
        </button>
      )}
    </section>
  );
}

function entriesOf({
  pings,
  changes,
  notifications,
}: Pick<CheckLogProps, 'pings' | 'changes' | 'notifications'>): readonly Entry[] {
  const all: Entry[] = [
    ...pings.map((ping): Entry => ({ what: 'ping', atMs: Date.parse(ping.date), ping })),
    ...changes.map((change): Entry => ({ what: 'change', atMs: change.atMs, change })),
    ...notifications.map((sent): Entry => ({ what: 'notification', atMs: Date.parse(sent.timestamp), sent })),
  ];
  // Sorting is stable: pings of one instant stay in the order of their numbers.
  return all.sort((a, b) => b.atMs - a.atMs || order[a.what] - order[b.what]);
}

function matches(entry: Entry, filter: string): boolean {
  if (filter === '' || entry.what === filter) return true;
  return entry.what === 'ping' && entry.ping.type === filter;
}

function keyOf(entry: Entry): string {
  if (entry.what === 'ping') return `ping ${entry.ping.n}`;
  if (entry.what === 'change') return `change ${entry.atMs} ${entry.change.to}`;
  return `notification ${entry.atMs} ${entry.sent.channel} ${entry.sent.event}`;
}

interface PingProps {
  readonly ping: ApiPing;
  readonly nowMs: number;
  /** Of its body. */
  readonly path: string;
  readonly isOpen: boolean;
  toggle(): void;
}

function Ping({ ping, nowMs, path, isOpen, toggle }: PingProps) {
  return (
    <>
      <span class="n">#{ping.n}</span>
      <strong class={`signal ${ping.type}`}>{signalWords[ping.type]}</strong>
      <Time atMs={Date.parse(ping.date)} nowMs={nowMs} />
      <span class="faint from">
        {[ping.scheme, ping.method, ping.remote_addr, ping.ua].filter((part) => part !== '').join(' · ')}
        {ping.duration === undefined ? '' : ` · took ${spanWords(ping.duration)}`}
      </span>
      {ping.body_url !== null && (
        <button
          type="button"
          class="quiet"
          aria-expanded={isOpen}
          aria-label={`Body of ping ${ping.n}`}
          onClick={toggle}
        >
          Body
        </button>
      )}
      {isOpen && (
        <BodyViewer
          path={path}
          isMail={ping.scheme === 'email'}
          fileName={`ping-${ping.n}.${ping.scheme === 'email' ? 'eml' : 'txt'}`}
        />
      )}
    </>
  );
}

function ChangeLine({ change, nowMs }: { readonly change: StatusChange; readonly nowMs: number }) {
  return (
    <>
      <StatusMark status={change.to === 'grace' ? 'late' : change.to} />
      <Time atMs={change.atMs} nowMs={nowMs} />
      <span class="faint from">{causeWords[change.cause]}</span>
    </>
  );
}

function NotificationLine({ sent, nowMs }: { readonly sent: ApiNotification; readonly nowMs: number }) {
  const attempts = sent.attempts > 1 ? `after ${sent.attempts} attempts` : '';
  return (
    <>
      <strong class={`signal ${sent.outcome}`}>{outcomeWords[sent.outcome]}</strong>
      <Time atMs={Date.parse(sent.timestamp)} nowMs={nowMs} />
      <span class="from">
        “{sent.event}” to {whomOf(sent)}
        <span class="faint">
          {[attempts, sent.error]
            .filter((part) => part !== '')
            .map((part) => ` · ${part}`)
            .join('')}
        </span>
      </span>
    </>
  );
}

function whomOf({ channel_name, channel_kind }: ApiNotification): string {
  const kind = channelKinds.find((one) => one === channel_kind);
  if (kind === undefined) return channel_name || 'an integration that was deleted';
  return channel_name === '' ? channelForms[kind].title : `${channel_name} (${channelForms[kind].title})`;
}
