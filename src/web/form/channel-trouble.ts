/** Why an integration would notify nobody now, as the forms and the list of checks say it. Pure. */
import type { ChannelKind } from '../../domain/accounts/project.ts';
import type { GivenUpEvent } from '../../domain/deliveries/sent-notification.ts';
import type { ChannelView, DeliveryView, PageState } from '../../domain/views/page-view.ts';
import { momentWords } from '../core/words.ts';

/** Returns `2 integrations fail, 1 cannot send`, without a name; empty where all work. */
export function failingWords(failing: number, unable: number): string {
  return failingParts(failing, unable)
    .filter((words) => words !== '')
    .join(', ');
}

/** Returns `2 integrations fail` and `1 cannot send`, each empty where there is none. */
export function failingParts(failing: number, unable: number): readonly [fail: string, cannotSend: string] {
  const counted = (count: number): string => (count === 1 ? '1 integration' : `${count} integrations`);
  const fail = failing === 0 ? '' : `${counted(failing)} ${failing === 1 ? 'fails' : 'fail'}`;
  if (unable === 0) return [fail, ''];
  return [fail, `${fail === '' ? counted(unable) : unable} cannot send`];
}

/** Why the newest attempt of what is not delivered failed; where none is being tried any more, why the first one was given up. */
export function newestError({
  deliveries,
  givenUp,
}: {
  readonly deliveries: readonly Pick<DeliveryView, 'triedMs' | 'error'>[];
  readonly givenUp: readonly Pick<GivenUpEvent, 'error'>[];
}): string {
  const [first, ...others] = deliveries.filter(({ error }) => error !== '');
  const newest = others.reduce(
    (found, one) => ((one.triedMs ?? 0) > (found?.triedMs ?? 0) ? one : found),
    first,
  );
  return (newest ?? givenUp[0])?.error ?? '';
}

export type ServerFacts = Pick<PageState, 'missing' | 'nowMs'>;

export interface Trouble {
  readonly mark: 'paused' | 'late' | 'down';
  readonly words: string;
}

type ChannelFacts = Pick<ChannelView, 'kind'> &
  Partial<Pick<ChannelView, 'disabled' | 'unverified' | 'failingSinceMs'>>;

/** In the words of the list of integrations; null where nothing is known to be wrong. */
export function troubleOf(
  { kind, disabled = false, unverified = false, failingSinceMs = 0 }: ChannelFacts,
  { missing, nowMs }: ServerFacts,
): Trouble | null {
  const lacks = missing[kind] ?? [];
  if (disabled) return { mark: 'paused', words: 'Turned off' };
  if (lacks.length > 0) return { mark: 'late', words: `Cannot send, needs ${lacks.join(', ')}` };
  if (unverified) return { mark: 'late', words: 'Not verified' };
  return failingSinceMs === 0
    ? null
    : { mark: 'down', words: `Failing since ${momentWords(failingSinceMs, nowMs)}` };
}

/** Whether one of these integrations is sent its alerts: one that fails is tried again. */
export function hasRecipients(
  assigned: readonly string[],
  channels: readonly (ChannelFacts & { readonly id: string })[],
  server: ServerFacts,
): boolean {
  return channels.some((one) => {
    const trouble = assigned.includes(one.id) ? troubleOf(one, server) : undefined;
    return trouble === null || trouble?.mark === 'down';
  });
}

/** Of an integration of the list of checks, which is not sent more than its kind: what the state of the page says of it. */
export function troubleInList(
  { id, ...channel }: { readonly id: string; readonly kind: ChannelKind } & ChannelFacts,
  { failing, ...server }: Pick<PageState, 'failing' | 'missing' | 'nowMs'>,
  project: string,
): Trouble | null {
  const failingSinceMs = failing[project]?.find((one) => one.id === id)?.sinceMs ?? 0;
  return troubleOf({ ...channel, failingSinceMs }, server);
}
