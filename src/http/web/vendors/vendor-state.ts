/**
 * The parameter `state` with which a browser goes to a vendor's page and comes back from it: for whom, and for what, the answer is.
 * Invariants: its signature holds the project, the kind, the session and the time, and every node of a cluster can check it. It passes
 * through the vendor, so that it has a digest of the session, and nothing by which somebody could act in it.
 */
import { createHash } from 'node:crypto';
import type { ChannelKind } from '../../../domain/accounts/project.ts';
import { channelKinds } from '../../../integrations/contract/titles.ts';
import { newUuid } from '../../../lib/ids.ts';
import type { ProjectCall, WebContext } from '../calls/call.ts';
import type { Principal } from '../calls/principal.ts';

/** What of a state can be read without its signature. */
export interface StatePlace {
  readonly project: string;
  readonly kind: ChannelKind;
}

export interface VendorState extends StatePlace {
  /** Another one for each time that a browser goes to a vendor. */
  readonly id: string;
  readonly untilMs: number;
  /** The digest of the session; of a user whom the proxy has signed in, that of the user. */
  readonly by: string;
}

type Tokens = Pick<WebContext['tokens'], 'sealed' | 'unsealed'>;

/** `ms`: for how long the person has on the vendor's page. */
export function newState(call: ProjectCall, kind: ChannelKind, ms: number): string {
  const { context, project, principal, nowMs } = call;
  const kept = { id: newUuid(), untilMs: nowMs + ms, by: digestOf(principal) } satisfies Signed;
  const place = { project: project.id, kind };
  return `${place.project}.${kind}.${context.tokens.sealed(purposeOf(place), JSON.stringify(kept))}`;
}

/** Null for what this installation has not made. Whose it is, and since when it is over, is for the caller to say. */
export function readState(tokens: Tokens, state: string): VendorState | null {
  const found = partsOf(state);
  const text = found ? tokens.unsealed(purposeOf(found.place), found.sealed) : null;
  return found && text !== null ? { ...found.place, ...(JSON.parse(text) as Signed) } : null;
}

export function isOwnState({ by }: VendorState, principal: Principal): boolean {
  return by === digestOf(principal);
}

/** For a redirect to the form that it is for, which finds out whether it is genuine. */
export function placeOfState(state: string): StatePlace | null {
  return partsOf(state)?.place ?? null;
}

type Signed = Pick<VendorState, 'id' | 'untilMs' | 'by'>;

function purposeOf({ project, kind }: StatePlace): string {
  return `vendor ${project} ${kind}`;
}

function partsOf(state: string): { readonly place: StatePlace; readonly sealed: string } | null {
  const [, project = '', named = '', sealed = ''] =
    /^([0-9a-f-]{36})\.(\w{1,20})\.([\w-]{1,500}\.[\w-]{1,100})$/.exec(state) ?? [];
  const kind = channelKinds.find((one) => one === named);
  return kind ? { place: { project, kind }, sealed } : null;
}

/** Of a session it is the cookie, of which nobody guesses the digest. */
function digestOf({ csrfBinding }: Principal): string {
  return createHash('sha256').update(csrfBinding).digest('base64url');
}
