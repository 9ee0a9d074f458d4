/** The pings that are kept, by kind, some at a time, with what they brought along. */
import { useState } from 'preact/hooks';
import { type Signal, signals } from '../domain/ping.ts';
import { type ApiPing, apiPath } from './api-check.ts';
import { Time } from './bits.tsx';
import { BodyViewer } from './body-viewer.tsx';
import { spanWords } from './words.ts';

const perPage = 25;

export const signalWords: Readonly<Record<Signal, string>> = {
  success: 'Success',
  start: 'Start',
  fail: 'Failure',
  log: 'Log',
  ign: 'Ignored',
};

interface PingLogProps {
  readonly pings: readonly ApiPing[];
  readonly project: string;
  readonly id: string;
  readonly nowMs: number;
}

export function PingLog({ pings, project, id, nowMs }: PingLogProps) {
  const [kind, setKind] = useState<Signal | ''>('');
  const [shown, setShown] = useState(perPage);
  const [open, setOpen] = useState(0);
  const wanted = pings.filter(({ type }) => kind === '' || type === kind);
  return (
    <section>
      <h2>Pings</h2>
      {pings.length === 0 && <p class="faint">No pings yet. Send one to the URL above.</p>}
      {pings.length > 0 && (
        <select
          aria-label="Filter pings by type"
          value={kind}
          onChange={(event) => setKind(signals.find((one) => one === event.currentTarget.value) ?? '')}
        >
          <option value="">All types</option>
          {signals.map((signal) => (
            <option key={signal} value={signal}>
              {signalWords[signal]}
            </option>
          ))}
        </select>
      )}
      <ol class="pings">
        {wanted.slice(0, shown).map((ping) => (
          <li key={ping.n}>
            <PingLine ping={ping} nowMs={nowMs} />
            {ping.body_url !== null && (
              <button
                type="button"
                class="quiet"
                aria-expanded={open === ping.n}
                aria-label={`Body of ping ${ping.n}`}
                onClick={() => setOpen(open === ping.n ? 0 : ping.n)}
              >
                Body
              </button>
            )}
            {open === ping.n && (
              <BodyViewer
                path={apiPath(project, `checks/${id}/pings/${ping.n}/body`)}
                isMail={ping.scheme === 'email'}
                fileName={`ping-${ping.n}.${ping.scheme === 'email' ? 'eml' : 'txt'}`}
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

function PingLine({ ping, nowMs }: { readonly ping: ApiPing; readonly nowMs: number }) {
  return (
    <>
      <span class="n">#{ping.n}</span>
      <strong class={`signal ${ping.type}`}>{signalWords[ping.type]}</strong>
      <Time atMs={Date.parse(ping.date)} nowMs={nowMs} />
      <span class="faint from">
        {[ping.scheme, ping.method, ping.remote_addr, ping.ua].filter((part) => part !== '').join(' · ')}
        {ping.duration === undefined ? '' : ` · took ${spanWords(ping.duration)}`}
      </span>
    </>
  );
}
