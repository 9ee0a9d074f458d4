/** How an integration is called on the page. Pure. */
import { type ChannelKind, channelKinds, titles } from '../../integrations/contract/titles.ts';

export interface Apart {
  /** What distinguishes an integration from others of its project that have the same name; absent where none has. */
  readonly apart?: string;
}

export interface NamedChannel extends Apart {
  readonly name: string;
  readonly kind: ChannelKind;
}

/** Returns `ops`, or of one without a name `ntfy`; where others have that name, too, `ntfy (ntfy.sh/aler…)`. */
export function channelTitle({ name, kind, apart = '' }: NamedChannel): string {
  const title = name || titles[kind];
  return apart === '' ? title : `${title} (${apart})`;
}

/** Likewise, of an API answer: its kind may be one that only a newer Knell has. Empty where neither is known. */
export function answeredTitle(name: string, kind: string): string {
  const known = channelKinds.find((one) => one === kind);
  return known ? channelTitle({ name, kind: known }) : name || kind;
}
