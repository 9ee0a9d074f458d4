/**
 * Reads what a list shows of a check out of its row, in a quarter of the time that decoding all of it takes.
 * Invariant: says what `checkRow.read` would of a row that `readCheckFacts` has taken.
 */
import { checkFieldDefaults, checkFields } from '../../domain/check/check-fields.ts';
import type { ListedCheck } from '../../domain/check/listed-check.ts';
import { asChannelId, type ChannelId } from '../../lib/ids.ts';
import { MsgpackWalk } from './msgpack-walk.ts';
import type { Intern } from './named-record.ts';
import { uuidBytes } from './uuid.ts';
import { WalkedKeys } from './walked-keys.ts';

type RowListing = Omit<ListedCheck, 'id' | 'state'>;

type Draft = { -readonly [Name in keyof RowListing]: RowListing[Name] } & { isSimple: boolean };

/** Steps over one value. */
type Take = (draft: Draft, intern: Intern) => void;

const walk = new MsgpackWalk();
const keys = new WalkedKeys<Take>();

function text(): string {
  walk.content();
  const { bytes, start, end } = walk;
  return bytes.toString('utf8', start, end);
}

function takeHandled(draft: Draft): void {
  walk.skip();
  draft.isHandled = true;
}

const takes: Readonly<Record<string, Take>> = {
  created: (draft) => {
    draft.createdAtMs = walk.number();
  },
  acknowledged: takeHandled,
  snoozed: takeHandled,
  held: takeHandled,
  [checkFields.name.json]: (draft) => {
    draft.name = text();
  },
  [checkFields.slug.json]: (draft) => {
    draft.slug = text();
  },
  [checkFields.tags.json]: (draft, intern) => {
    draft.tags = intern.text(text());
  },
  [checkFields.desc.json]: (draft) => {
    draft.desc = text();
  },
  [checkFields.kind.json]: (draft) => {
    draft.isSimple = text() === checkFieldDefaults.kind;
  },
  [checkFields.timeoutS.json]: (draft) => {
    draft.timeoutS = walk.number();
  },
  [checkFields.schedule.json]: (draft, intern) => {
    draft.schedule = intern.text(text());
  },
  [checkFields.tz.json]: (draft, intern) => {
    draft.tz = intern.text(text());
  },
  [checkFields.channels.json]: (draft, intern) => {
    draft.channels = channels(intern);
  },
};

for (const [name, take] of Object.entries(takes)) keys.learn(name, take);

function channels(intern: Intern): readonly ChannelId[] {
  walk.content();
  const { bytes, start, end } = walk;
  const found: ChannelId[] = [];
  for (let at = start; at < end; at += uuidBytes) found.push(asChannelId(intern.uuid(bytes, at)));
  return found;
}

export function readListing(row: Buffer, intern: Intern): RowListing {
  const { name, slug, tags, desc, timeoutS, schedule, tz, kind } = checkFieldDefaults;
  const draft: Draft = {
    createdAtMs: 0,
    ...{ name, slug, tags, desc, timeoutS, schedule, tz },
    channels: [],
    isHandled: false,
    isSimple: kind === 'simple',
  };
  walk.open(row);
  const pairs = walk.map();
  for (let pair = 0; pair < pairs; pair++) {
    const take = keys.next(walk, pair);
    if (take === null) walk.skip();
    else take(draft, intern);
  }
  const { isSimple, ...listing } = draft;
  return isSimple ? listing : { ...listing, timeoutS: null };
}
