/** The kinds of integration as they are offered: in which order, by which name, and whether this browser can be one. */
import { kinds } from '../../integrations/all.ts';
import { type ChannelKind, channelKinds, titles } from '../../integrations/contract/titles.ts';
import { unsupported } from '../push/subscription.ts';

const last = Number.POSITIVE_INFINITY;

/** Whether its integrations are browsers: this one subscribes when it is added. */
export function isBrowser(kind: ChannelKind): boolean {
  return kinds[kind].form.fields.some(({ input }) => input === 'browser');
}

/** Whether one can be added here: another browser may do what this one does not. */
export function isPossibleHere(kind: ChannelKind): boolean {
  return !isBrowser(kind) || unsupported() === '';
}

/** What the kind is called where it is offered. */
export function offeredTitle(kind: ChannelKind): string {
  const { title, offeredAs = title } = kinds[kind].form;
  return offeredAs;
}

interface Adding {
  /** Whether this server has what it takes to send to it. */
  readonly canSend: boolean;
  /** Whether an owner has confirmed its address. */
  readonly confirmed: boolean;
}

/** An address that nobody has confirmed is sent nothing but the question. */
export function isAskedFirst(kind: ChannelKind, { canSend, confirmed }: Adding): boolean {
  return kind === 'email' && canSend && !confirmed;
}

/** The label of the button that adds an integration: what is sent then. */
export function addWords(kind: ChannelKind, adding: Adding): string {
  if (isBrowser(kind)) return 'Alert this browser';
  if (!adding.canSend) return 'Add integration';
  return isAskedFirst(kind, adding) ? 'Add and send verification email' : 'Add and send test';
}

/** What a test is sent to, and when. */
export function testWords(kind: ChannelKind, adding: Adding): string {
  return isAskedFirst(kind, adding)
    ? 'No test is sent until the address is confirmed.'
    : 'It is added, then tested. If the test fails, it stays added.';
}

/** Names beside those of the forms. */
const otherNames: ReadonlyMap<string, ChannelKind> = new Map([
  ['teams', 'msteamsw'],
  ['mail', 'email'],
  ['browser', 'webpush'],
]);

/** Returns the kind that an address means: by what the API calls it, or by the name that people have for it. */
export function kindCalled(name: string): ChannelKind | undefined {
  const wanted = plainly(name);
  const isMeant = (kind: ChannelKind): boolean =>
    [titles[kind], offeredTitle(kind)].some((title) => plainly(title) === wanted);
  return channelKinds.find((kind) => kind === name) ?? channelKinds.find(isMeant) ?? otherNames.get(wanted);
}

function plainly(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** The kinds that most people look for come first, then the others by the names that people have for them. */
export const kindsInOrder: readonly ChannelKind[] = [...channelKinds].sort((a, b) => {
  const [one, other] = [placeOf(a), placeOf(b)];
  if (one !== other) return one - other;
  return titles[a].localeCompare(titles[b], 'en');
});

function placeOf(kind: ChannelKind): number {
  return isPossibleHere(kind) ? (kinds[kind].popular ?? last) : last;
}
