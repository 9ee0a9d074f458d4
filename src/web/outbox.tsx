/** Notifications that are pending or have failed. Polled while the page is open, not published. */
import { useEffect, useState } from 'preact/hooks';
import type { CheckRow, DeliveryView, OutboxView } from '../domain/page-view.ts';
import { Act, Problem, Sure, Time } from './bits.tsx';
import { send, useAsk } from './door.ts';
import { addressOf } from './route.ts';
import { useNow } from './use-now.ts';

const everyMs = 5000;

const stateWords = { waiting: 'Waiting', dead: 'Failed', superseded: 'Superseded' } as const;
const eventWords = { down: 'is down', up: 'is back up', late: 'is late' } as const;

interface OutboxProps {
  readonly project: string;
  readonly rows: readonly CheckRow[];
  readonly offsetMs: number;
  readonly mayEdit: boolean;
}

export function Outbox({ project, rows, offsetMs, mayEdit }: OutboxProps) {
  const nowMs = useNow(offsetMs);
  const path = `/web/in/${project}/outbox`;
  const { data, error, reload } = useAsk<OutboxView>(path);
  useEffect(() => {
    const timer = setInterval(reload, everyMs);
    return () => clearInterval(timer);
  }, [reload]);
  return (
    <section>
      <h2>Pending and failed notifications</h2>
      <Problem text={error} />
      {data?.total === 0 && (
        <p class="faint">Nothing pending. Failed notifications appear here and are retried for 24 hours.</p>
      )}
      <ul class="plain">
        {(data?.deliveries ?? []).map((one) => (
          <Line
            key={one.id}
            delivery={one}
            name={nameOf(rows.find(({ id }) => id === one.checkId))}
            address={addressOf(project, 'checks', one.checkId)}
            path={`${path}/${one.id}`}
            nowMs={nowMs}
            mayEdit={mayEdit}
            changed={reload}
          />
        ))}
      </ul>
      {data && data.total > data.deliveries.length && (
        <p class="faint">
          And {data.total - data.deliveries.length} more: <code>knell outbox list</code> shows all.
        </p>
      )}
    </section>
  );
}

function nameOf(row: CheckRow | undefined): string {
  return row?.name || row?.slug || 'Unnamed check';
}

interface LineProps {
  readonly delivery: DeliveryView;
  /** Of its check. */
  readonly name: string;
  readonly address: string;
  readonly path: string;
  readonly nowMs: number;
  readonly mayEdit: boolean;
  readonly changed: () => void;
}

function Line({ delivery, name, address, path, nowMs, mayEdit, changed }: LineProps) {
  const [failed, setFailed] = useState('');
  const { state, event, channel, sinceMs, attempts, nextMs, error } = delivery;
  return (
    <li class="line">
      <strong>{stateWords[state]}</strong>
      <span>
        {channel || 'Unnamed'}: <a href={address}>{name}</a> {eventWords[event]}
      </span>
      <span class="faint">
        <Time atMs={sinceMs} nowMs={nowMs} />
        {attempts > 0 && `, tried ${attempts === 1 ? 'once' : `${attempts} times`}`}
        {nextMs !== null && nextMs > nowMs && (
          <>
            , again <Time atMs={nextMs} nowMs={nowMs} />
          </>
        )}
      </span>
      {mayEdit && (
        <>
          {state !== 'superseded' && (
            <Act class="quiet" run={() => send('POST', `${path}/retry`).then(changed)} failed={setFailed}>
              Try now<span class="hidden"> {`${channel}: ${name}`}</span>
            </Act>
          )}
          <Sure
            label="Discard"
            of={`${channel}: ${name}`}
            ask={`${channel || 'The integration'} will not be notified that ${name} ${eventWords[event]}.`}
            yes="Discard"
            run={() => send('DELETE', path).then(changed)}
          />
        </>
      )}
      <Problem text={failed || error} />
    </li>
  );
}
