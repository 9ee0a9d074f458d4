/** The failed and waiting notifications of an integration, folded under its row. */
import { useState } from 'preact/hooks';
import { blockedAddressIn, privateWords } from '../../domain/deliveries/blocked-words.ts';
import type { GivenUpEvent } from '../../domain/deliveries/sent-notification.ts';
import type { IntegrationView } from '../../domain/views/integration-view.ts';
import type { DeliveryView } from '../../domain/views/page-view.ts';
import { capital } from '../../domain/words/capital.ts';
import { send } from '../core/calls.ts';
import { addressOf, settingAddress } from '../core/route.ts';
import { momentWords } from '../core/words.ts';
import { Act, Problem, Sure } from '../ui/bits.tsx';
import { Icon } from '../ui/icons.tsx';
import { allowAddresses } from '../ui/retry-now.tsx';
import { notificationWords, titleOf } from './integration-health.ts';

interface TroublesProps {
  readonly project: string;
  readonly integration: IntegrationView;
  /** Whether all recent notifications failed: then it is open at first, if there are few. */
  readonly isFailing: boolean;
  /** Settings that its kind needs and the server lacks: until they are there, another attempt would fail, too. */
  readonly lacks: readonly string[];
  readonly nowMs: number;
  readonly mayEdit: boolean;
  /** Whether the user is an owner of the installation, who may set what is lacking. */
  readonly isOwner: boolean;
  /** As in the state of the page. */
  readonly mayAllow: boolean;
  readonly changed: () => void;
}

/** Failed notifications that stand open at first: more would push the other integrations off the screen. */
const shownAtOnceMax = 3;

/** Whether there is a row of notifications that failed or wait. */
export function hasTroubles({ failed, waiting }: Pick<IntegrationView, 'failed' | 'waiting'>): boolean {
  return failed + waiting > 0;
}

export function Troubles(props: TroublesProps) {
  const { project, integration, isFailing, lacks, nowMs, mayEdit, changed } = props;
  const [chosen, setOpen] = useState<boolean | null>(null);
  const [failed, setFailed] = useState('');
  const { id, deliveries, givenUp, waiting, retrying } = integration;
  const total = integration.failed + waiting;
  const shown = deliveries.length + givenUp.length;
  if (!hasTroubles(integration)) return null;
  const isOpen = chosen ?? (isFailing && total <= shownAtOnceMax);
  const isBad = isFailing || integration.failed > 0;
  const name = titleOf(integration);
  const path = `/web/in/${project}/channels/${id}`;
  const [lacking] = lacks;
  const why = lacking === undefined ? ((deliveries[0] ?? givenUp[0])?.error ?? '') : '';
  const blocked = props.mayAllow ? blockedAddressIn(why) : '';
  const failure = blocked === '' ? capital(why) : privateWords([blocked]);
  const reason =
    lacking === undefined ? failure : `${lacks.join(', ')} ${lacks.length === 1 ? 'is' : 'are'} not set`;
  const retry = async (): Promise<void> => {
    if (blocked !== '') await allowAddresses([blocked]);
    await send('POST', `${path}/retry`).then(changed);
  };
  return (
    <div class={`troubles ${isBad ? 'failed' : retrying > 0 ? 'waiting' : ''}`}>
      <div class="troubles-head">
        <button type="button" class="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name={isOpen ? 'down' : 'right'} size={14} />
          <strong>{countWords(integration, isBad)}</strong>
          <span class="hidden"> of {name}</span>
        </button>
        <span class="why">{[reason, nextWords(deliveries, nowMs)].filter(Boolean).join(' · ')}</span>
        {mayEdit && (
          <span class="acts">
            {lacking !== undefined && props.isOwner && (
              <a class="button" href={settingAddress(lacking)}>
                Set {lacks.join(', ')}
              </a>
            )}
            {lacking === undefined && integration.failed + retrying > 0 && (
              <Act run={retry} failed={setFailed}>
                {blocked === '' ? 'Retry all now' : `Allow ${blocked} and retry`}
                <span class="hidden"> of {name}</span>
              </Act>
            )}
            <Sure
              label="Discard"
              of={name}
              ask={`${name} will not be notified of ${total === 1 ? 'this' : `these ${total}`}.`}
              yes="Discard"
              run={() => send('POST', `${path}/discard`).then(changed)}
            />
          </span>
        )}
      </div>
      <Problem text={failed} />
      {isOpen && (
        <ul>
          {deliveries.map((one) => (
            <Trouble key={one.id} delivery={one} {...props} />
          ))}
          {givenUp.map((one) => (
            <GivenUp key={one.id} event={one} nowMs={nowMs} />
          ))}
          {total > shown && <li class="faint">And {total - shown} more.</li>}
        </ul>
      )}
    </div>
  );
}

/** `3 failed notifications, 1 not tried yet`: what waits for its first attempt has not failed. */
function countWords(
  { failed, waiting, retrying }: Pick<IntegrationView, 'failed' | 'waiting' | 'retrying'>,
  isBad: boolean,
): string {
  const tried = failed + retrying;
  const named = (count: number): string => (count === 1 ? 'notification' : 'notifications');
  if (!isBad || tried === 0) return `${failed + waiting} ${named(failed + waiting)} waiting`;
  const untried = waiting - retrying;
  return `${tried} failed ${named(tried)}${untried === 0 ? '' : `, ${untried} not tried yet`}`;
}

function nextWords(deliveries: readonly DeliveryView[], nowMs: number): string {
  const next = deliveries.reduce<number | null>(
    (first, { nextMs }) => (nextMs === null || (first !== null && first < nextMs) ? first : nextMs),
    null,
  );
  return next === null || next <= nowMs ? '' : `next try ${momentWords(next, nowMs)}`;
}

function Trouble({
  delivery,
  project,
  nowMs,
  mayEdit,
  changed,
}: TroublesProps & { readonly delivery: DeliveryView }) {
  const [isOpen, setOpen] = useState(false);
  const [failed, setFailed] = useState('');
  const { id, state, event, reminder, check, checkId, sinceMs, attempts, nextMs, error } = delivery;
  const words = notificationWords({ kind: event, check, reminder });
  const path = `/web/in/${project}/outbox/${id}`;
  return (
    <li>
      <span class="when figure">{momentWords(sinceMs, nowMs)}</span>
      <strong class="what">{words}</strong>
      <span class="tries">{triesWords(delivery)}</span>
      <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Details<span class="hidden"> of {words}</span>
      </button>
      {isOpen && (
        <div class="details">
          <p>{error || 'Not tried yet.'}</p>
          <p class="faint">
            {state === 'dead'
              ? 'Given up. Retry sends it again.'
              : nextMs === null || nextMs <= nowMs
                ? 'Is being sent.'
                : `${attempts === 0 ? 'Will be sent' : 'Next try'} ${momentWords(nextMs, nowMs)}. Given up after 24 hours.`}
          </p>
          <div class="actions">
            <a href={addressOf(project, 'checks', checkId)}>Open the check</a>
            {mayEdit && (
              <>
                <Act run={() => send('POST', `${path}/retry`).then(changed)} failed={setFailed}>
                  Retry now<span class="hidden"> {words}</span>
                </Act>
                <Sure
                  label="Discard"
                  of={words}
                  ask={`Nobody will be notified by this: ${words}.`}
                  yes="Discard"
                  run={() => send('DELETE', path).then(changed)}
                />
              </>
            )}
          </div>
          <Problem text={failed} />
        </div>
      )}
    </li>
  );
}

/** Its type is that of the API: who subscribes to events reads them there. */
function GivenUp({ event, nowMs }: { readonly event: GivenUpEvent; readonly nowMs: number }) {
  const { type, about, endedMs, error } = event;
  return (
    <li>
      <span class="when figure">{momentWords(endedMs, nowMs)}</span>
      <strong class="what">{about === '' ? type : `${type}: ${about}`}</strong>
      <span class="tries">{triesWords({ ...event, state: 'dead' })}</span>
      <div class="details">
        <p>{error}</p>
      </div>
    </li>
  );
}

function triesWords({ attempts, state }: Pick<DeliveryView, 'attempts' | 'state'>): string {
  if (attempts === 0) return state === 'dead' ? 'not tried' : 'not tried yet';
  return attempts === 1 ? 'tried once' : `tried ${attempts} times`;
}
