/** The failed and waiting notifications of an integration, folded under its row. */

import { useState } from 'preact/hooks';
import { channelTitle } from '../../domain/accounts/channel-title.ts';
import { blockedAddressIn, privateWords, whyBlocked } from '../../domain/deliveries/blocked-words.ts';
import type { GivenUpEvent } from '../../domain/deliveries/sent-notification.ts';
import type { IntegrationView } from '../../domain/views/integration-view.ts';
import type { DeliveryView, RetriedView } from '../../domain/views/page-view.ts';
import { capital } from '../../domain/words/capital.ts';
import { send } from '../core/calls.ts';
import { addressOf, settingAddress } from '../core/route.ts';
import { atWords, errorWords, momentWords } from '../core/words.ts';
import { newestError } from '../form/channel-trouble.ts';
import { Act, Problem, Sure } from '../ui/bits.tsx';
import { Icon } from '../ui/icons.tsx';
import { AllowQuestion, retryEach, useLooksAfterRetry } from '../ui/retry-now.tsx';
import { say } from '../ui/toasts.tsx';
import { notificationWords } from './integration-health.ts';

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
  const look = useLooksAfterRetry(changed);
  const [chosen, setOpen] = useState<boolean | null>(null);
  const [failed, setFailed] = useState('');
  const { id, deliveries, givenUp, waiting, retrying } = integration;
  const total = integration.failed + waiting;
  const shown = deliveries.length + givenUp.length;
  if (!hasTroubles(integration)) return null;
  const isOpen = chosen ?? (isFailing && total <= shownAtOnceMax);
  const isBad = isFailing || integration.failed > 0;
  const name = channelTitle(integration);
  const path = `/web/in/${project}/channels/${id}`;
  const [lacking] = lacks;
  const why = lacking === undefined ? newestError(integration) : '';
  const blocked = props.mayAllow ? blockedAddressIn(why) : '';
  const failure = blocked === '' ? capital(errorWords(why, nowMs)) : privateWords([blocked]);
  const reason =
    lacking === undefined ? failure : `${lacks.join(', ')} ${lacks.length === 1 ? 'is' : 'are'} not set`;
  const retry = async (): Promise<void> => {
    say(retriedWords(await send<RetriedView>('POST', `${path}/retry`)));
    look();
  };
  return (
    <div class={`troubles ${isBad ? 'failed' : retrying > 0 ? 'waiting' : ''}`}>
      <div class="troubles-head">
        <button type="button" class="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name={isOpen ? 'down' : 'right'} size={14} />
          <strong>{countWords(integration, isBad)}</strong>
          <span class="hidden"> of {name}</span>
        </button>
        <span class="why">
          {[reason, overWords(integration), unsentWords(integration), nextWords(integration, nowMs)]
            .filter(Boolean)
            .join(' · ')}
        </span>
        {mayEdit && (
          <span class="acts">
            {lacking !== undefined && props.isOwner && (
              <a class="button" href={settingAddress(lacking)}>
                Set {lacks.join(', ')}
              </a>
            )}
            {lacking === undefined && (
              <RetryAll {...{ integration, blocked, retry, name }} failed={setFailed} />
            )}
            <Sure
              label={total === 1 ? 'Discard' : `Discard ${total}`}
              of={total === 1 ? name : `of ${name}`}
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
          {byTime(deliveries).map((one) => (
            <Trouble key={one.id} delivery={one} {...props} changed={look} />
          ))}
          {givenUp.map((one) => (
            <GivenUp key={one.id} event={one} nowMs={nowMs} mayAllow={props.mayAllow} />
          ))}
          {total > shown && <li class="faint">And {total - shown} more.</li>}
        </ul>
      )}
    </div>
  );
}

/** By the times that are said, newest first: the server has those first that were tried last, so that a retry would move them. */
function byTime(deliveries: readonly DeliveryView[]): readonly DeliveryView[] {
  return [...deliveries].sort((a, b) => b.sinceMs - a.sinceMs);
}

interface RetryAllProps {
  readonly integration: IntegrationView;
  /** The address to allow first; empty for none. */
  readonly blocked: string;
  readonly retry: () => Promise<void>;
  readonly name: string;
  readonly failed: (error: string) => void;
}

/** Says how many it sends where it does not send all. Where none is left, there is nothing to press, unless an address is to be allowed. */
function RetryAll({
  integration: { failed: dead, retrying, over, replaced, snoozed },
  blocked,
  retry,
  name,
  failed,
}: RetryAllProps) {
  const unsent = over + replaced + snoozed;
  const sent = dead + retrying - unsent;
  const isAll = unsent === 0;
  const of = <span class="hidden"> of {name}</span>;
  if (dead + retrying === 0 || (sent === 0 && blocked === '')) return null;
  if (blocked === '')
    return (
      <Act run={retry} failed={failed}>
        {isAll ? 'Retry all now' : `Retry ${sent} now`}
        {of}
      </Act>
    );
  const does = sent === 0 ? '' : isAll ? ' and retry' : ` and retry ${sent}`;
  return (
    <AllowQuestion addresses={[blocked]} yes={sent === 0 ? 'Allow' : 'Allow and retry'} run={retry}>
      Allow {blocked}
      {does}
      {of}
    </AllowQuestion>
  );
}

function countedAs(count: number, what: string): string {
  return count === 0 ? '' : `${count} ${count === 1 ? 'is' : 'are'} ${what}`;
}

/** Notifications that a failing integration is tried with at one time. */
const probedMax = 3;

function retriedWords({ count, over, replaced, snoozed }: RetriedView): string {
  const are = `${count === 0 ? 'None' : count} ${count === 1 ? 'is' : 'are'} sent again`;
  // The first ones show whether it works: while they fail, the others wait.
  const sent =
    count > probedMax ? `${are}, the first ones now and the others as those go through.` : `${are}.`;
  const about =
    over === 1 ? 'was about an outage that is over, and is' : 'were about outages that are over, and are';
  const of =
    snoozed === 1 ? 'is about a check that is snoozed, and is' : 'are about checks that are snoozed, and are';
  const by = replaced === 1 ? 'was replaced by a newer one, and is' : 'were replaced by newer ones, and are';
  const unsent = [
    over === 0 ? '' : `${over} ${about} not sent.`,
    replaced === 0 ? '' : `${replaced} ${by} not sent.`,
    snoozed === 0 ? '' : `${snoozed} ${of} not sent.`,
  ];
  return [sent, ...unsent].filter((words) => words !== '').join(' ');
}

/** Where all of them are, no button says so. */
function overWords({ failed, retrying, over, snoozed }: IntegrationView): string {
  if (over + snoozed === 0 || over + snoozed < failed + retrying) return '';
  const words = [over === 1 ? 'about an outage that is over' : 'about outages that are over'];
  if (snoozed === 0) return words.join();
  const ofSnoozed = snoozed === 1 ? 'about a check that is snoozed' : 'about checks that are snoozed';
  return over === 0 ? ofSnoozed : `${words.join()}, or ${ofSnoozed}`;
}

/** `39 are over, 1 is snoozed`, of which the button sends nothing; empty where that is none, or where all of them are. */
function unsentWords({ failed, retrying, over, replaced, snoozed }: IntegrationView): string {
  if (over + replaced + snoozed >= failed + retrying) return '';
  return [
    countedAs(over, 'over'),
    countedAs(replaced, 'replaced by a newer one'),
    countedAs(snoozed, 'snoozed'),
  ]
    .filter((words) => words !== '')
    .join(', ');
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

/** Of those that were given up there is no next try: where there are such, it says of how many there is one. */
function nextWords({ failed, retrying, nextMs }: IntegrationView, nowMs: number): string {
  if (nextMs === null || nextMs <= nowMs) return '';
  return `next try${failed === 0 ? '' : ` of ${retrying}`} ${atWords(nextMs, nowMs)}`;
}

function Trouble({
  delivery,
  project,
  nowMs,
  mayEdit,
  mayAllow,
  changed,
}: TroublesProps & { readonly delivery: DeliveryView }) {
  const [isOpen, setOpen] = useState(false);
  const [failed, setFailed] = useState('');
  const { id, event, reminder, check, checkId, sinceMs, triedMs, error, keptBack = '' } = delivery;
  const words = notificationWords({ kind: event, check, reminder });
  const path = `/web/in/${project}/outbox/${id}`;
  return (
    <li>
      <span class="when figure">{momentWords(sinceMs, nowMs)}</span>
      <strong class="what">{words}</strong>
      <span class="tries">
        {triesWords(delivery)}
        {waitsForTurn(delivery, nowMs) && delivery.attempts > 0 ? ' · waits for its turn' : ''}
      </span>
      <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Details<span class="hidden"> of {words}</span>
      </button>
      {isOpen && (
        <div class="details">
          <p>
            {triedMs !== null && `Tried last ${atWords(triedMs, nowMs)}: `}
            {error === '' ? 'Not tried yet.' : causeWords(error, mayAllow, nowMs)}
          </p>
          <p class="faint">{progressWords(delivery, nowMs)}</p>
          <div class="actions">
            <a href={addressOf(project, 'checks', checkId)}>Open the check</a>
            {mayEdit && (
              <>
                {keptBack === '' && (
                  <Act run={() => retryEach(project, [id], changed)} failed={setFailed}>
                    Retry now<span class="hidden"> {words}</span>
                  </Act>
                )}
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

/** What becomes of it now. One that is due may wait for others, or for the end of what holds its check back. */
function progressWords(
  { state, attempts, nextMs, isInFlight, keptBack = '' }: DeliveryView,
  nowMs: number,
): string {
  if (keptBack !== '') {
    const said = `Not sent for now: ${errorWords(keptBack, nowMs)}.`;
    return state === 'dead' ? `Given up. ${said}` : said;
  }
  if (state === 'dead') return 'Given up. Retry sends it again.';
  if (isInFlight) return `Is being sent${attempts > 0 ? ' again' : ''} now.`;
  if (waitsForTurn({ state, nextMs, isInFlight }, nowMs))
    return `Waits for its turn to be sent${attempts > 0 ? ' again' : ''}.`;
  return `${attempts === 0 ? 'Will be sent' : 'Next try'} ${atWords(nextMs ?? nowMs, nowMs)}. Given up after 24 hours.`;
}

/** While an integration fails, one notification tries it and the others wait. */
function waitsForTurn(
  { state, nextMs, isInFlight }: Pick<DeliveryView, 'state' | 'nextMs' | 'isInFlight'>,
  nowMs: number,
): boolean {
  return state === 'waiting' && !isInFlight && (nextMs === null || nextMs <= nowMs);
}

/** Beside the button that allows an address, only why nothing was sent: not the setting as another remedy. */
function causeWords(error: string, mayAllow: boolean, nowMs: number): string {
  const blocked = mayAllow ? blockedAddressIn(error) : '';
  return blocked === '' ? errorWords(error, nowMs) : whyBlocked(blocked);
}

interface GivenUpProps extends Pick<TroublesProps, 'nowMs' | 'mayAllow'> {
  readonly event: GivenUpEvent;
}

/** Its type is that of the API: who subscribes to events reads them there. */
function GivenUp({ event, nowMs, mayAllow }: GivenUpProps) {
  const { type, about, endedMs, error } = event;
  return (
    <li>
      <span class="when figure">{momentWords(endedMs, nowMs)}</span>
      <strong class="what">{about === '' ? type : `${type}: ${about}`}</strong>
      <span class="tries">{triesWords({ ...event, state: 'dead' })}</span>
      <div class="details">
        <p>{causeWords(error, mayAllow, nowMs)}</p>
      </div>
    </li>
  );
}

function triesWords({ attempts, state }: Pick<DeliveryView, 'attempts' | 'state'>): string {
  if (attempts === 0) return state === 'dead' ? 'not tried' : 'not tried yet';
  return attempts === 1 ? 'tried once' : `tried ${attempts} times`;
}
