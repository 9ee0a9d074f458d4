/**
 * A new integration as its form has it, without its value; and what this tab keeps of it while its browser is on a vendor's page.
 * Invariant: nothing that a vendor has sent is kept.
 */
import type { ChannelSettings } from '../../domain/accounts/channel-settings.ts';
import { type ChannelKind, getsAlerts } from '../../domain/accounts/project.ts';
import type { CountView } from '../../domain/views/page-view.ts';
import { send } from '../core/calls.ts';
import type { ChosenChecks } from '../form/check-choice.tsx';

export interface Draft {
  readonly name: string;
  readonly settings: Partial<ChannelSettings>;
  readonly chosen: ChosenChecks;
}

/** The body of a request that creates it. Checks with a tag are assigned after that: see `tagOf`. */
export function creation(kind: ChannelKind, { name, settings, chosen }: Draft) {
  const isAtOnce = tagOf(chosen) === null && getsAlerts({ kind });
  return { kind, name, ...settings, checks: isAtOnce ? chosen : 'none' };
}

/** The tag of the chosen checks; null if they were chosen in another way. */
export function tagOf(chosen: ChosenChecks): string | null {
  return typeof chosen === 'object' && 'tag' in chosen ? chosen.tag : null;
}

/** Assigns an integration to all checks with a tag. Returns how many those are. */
export async function assignByTag(project: string, id: string, tag: string): Promise<number> {
  const search = new URLSearchParams({ tag }).toString();
  const path = `/web/in/${project}/channels/${id}/checks`;
  return (await send<CountView>('POST', path, { on: true, search })).count;
}

const key = 'knell.draft';

/** `state`: with which the browser comes back. */
export function keepDraft(state: string, draft: Draft): void {
  sessionStorage.setItem(key, JSON.stringify({ ...draft, state }));
}

/** Null if the form was in another tab. */
export function draftOf(state: string): Draft | null {
  const text = sessionStorage.getItem(key);
  const kept = text === null ? null : (JSON.parse(text) as Draft & { readonly state: string });
  return kept?.state === state ? kept : null;
}

export function dropDraft(): void {
  sessionStorage.removeItem(key);
}
