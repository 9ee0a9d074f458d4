/**
 * Reads the facts that the engine keeps of a check beside its row out of the row, without decoding it: whose it is, when it is
 * due, and whether a ping needs a look at the rest. 0.4 µs instead of the 1.3 µs that decoding it takes, and no garbage.
 *
 * The rest is stepped over, but a known field whose value is of another type is found here, at the start, and not when
 * somebody asks for the check.
 * Invariant: says what `checkRow.read` would.
 */
import {
  type CheckField,
  checkFieldDefaults,
  checkFieldNames,
  checkFields,
} from '../../domain/check/check-fields.ts';
import { NEVER } from '../../lib/units.ts';
import { UuidWords } from '../../lib/uuid-words.ts';
import { damaged } from './byte-reader.ts';
import { MsgpackWalk, type WalkedKind } from './msgpack-walk.ts';
import { uuidBytes } from './uuid.ts';
import { WalkedKeys } from './walked-keys.ts';

export interface CheckFacts {
  readonly projectId: UuidWords;
  readonly badgeId: UuidWords;
  /** Offset of the badge's 16 bytes in the row. */
  badgeStart: number;
  createdAtMs: number;
  /** Offset in the row at which the slug begins, as UTF-8. */
  slugStart: number;
  slugEnd: number;
  isSimple: boolean;
  timeoutS: number;
  graceS: number;
  /** Empty for a simple check, where neither counts. */
  schedule: string;
  tz: string;
  /** No rule looks at the method or at a text: what a ping means, its address says. */
  isPlain: boolean;
  /** Its runs are tracked, each by itself: so it is not plain either. */
  isTracked: boolean;
  /** It depends on other checks. */
  isDependent: boolean;
  /** 0 for none. */
  snoozedUntilMs: number;
  /** When its hold, or the count of its failures, is looked at again; null for neither. Then it is not plain. */
  heldUntilMs: number | null;
}

export function emptyFacts(): CheckFacts {
  const { timeoutS, graceS } = checkFieldDefaults;
  const ids = { projectId: new UuidWords(), badgeId: new UuidWords() };
  const slug = { createdAtMs: 0, badgeStart: 0, slugStart: 0, slugEnd: 0 };
  return {
    ...ids,
    ...slug,
    isSimple: true,
    timeoutS,
    graceS,
    schedule: '',
    tz: '',
    isPlain: true,
    isTracked: false,
    isDependent: false,
    snoozedUntilMs: 0,
    heldUntilMs: null,
  };
}

/** Steps over one value; says whether the row cannot do without it. */
type Take = (facts: CheckFacts, walk: MsgpackWalk) => boolean;

interface KnownKey {
  readonly name: string;
  readonly kind: WalkedKind;
  readonly take: Take;
}

const walk = new MsgpackWalk();

const heads: Readonly<Record<string, readonly [WalkedKind, Take]>> = {
  project: ['binary', (facts) => takeUuid(facts.projectId)],
  badge: [
    'binary',
    (facts) => {
      takeUuid(facts.badgeId);
      facts.badgeStart = walk.start;
      return true;
    },
  ],
  created: [
    'number',
    (facts) => {
      facts.createdAtMs = walk.number();
      return true;
    },
  ],
};

/** With any of them, the runs are tracked (`tracksRuns`). */
const runSettings = [
  checkFields.maxRuntimeS,
  checkFields.minRuntimeS,
  checkFields.startGraceS,
  checkFields.unusualRuntime,
  checkFields.overlap,
  checkFields.hosts,
  checkFields.expectedRuns,
  checkFields.earlyToleranceS,
  checkFields.results,
];

function takeRunSetting(kind: CheckField['kind'], whenAbsent: unknown): (facts: CheckFacts) => void {
  return (facts) => {
    if ((kind === 'integer' ? walk.number() : text()) === whenAbsent) return;
    facts.isTracked = true;
    facts.isPlain = false;
  };
}

/** With any of them, more than the last outcome counts (`looksBack`). */
const alertSettings = [checkFields.alertAfter, checkFields.recoverAfter, checkFields.unstableChanges];

function takeAlertSetting(whenAbsent: number): (facts: CheckFacts) => void {
  return (facts) => {
    if (walk.number() !== whenAbsent) facts.isPlain = false;
  };
}

/** Reads the fields that the engine keeps; all others are stepped over. */
const takes: Readonly<Record<string, (facts: CheckFacts) => void>> = {
  [checkFields.slug.json]: (facts) => {
    walk.content();
    facts.slugStart = walk.start;
    facts.slugEnd = walk.end;
  },
  [checkFields.kind.json]: (facts) => {
    facts.isSimple = text() === checkFieldDefaults.kind;
  },
  [checkFields.timeoutS.json]: (facts) => {
    facts.timeoutS = walk.number();
  },
  [checkFields.graceS.json]: (facts) => {
    facts.graceS = walk.number();
  },
  [checkFields.schedule.json]: (facts) => {
    facts.schedule = text();
  },
  [checkFields.tz.json]: (facts) => {
    facts.tz = text();
  },
  [checkFields.methods.json]: (facts) => {
    if (text() !== checkFieldDefaults.methods) facts.isPlain = false;
  },
  [checkFields.exitCodes.json]: (facts) => {
    if (text() !== checkFieldDefaults.exitCodes) facts.isPlain = false;
  },
  ...Object.fromEntries(
    runSettings.map(({ json, kind, default: whenAbsent }) => [json, takeRunSetting(kind, whenAbsent)]),
  ),
  ...Object.fromEntries(
    alertSettings.map(({ json, default: whenAbsent }) => [json, takeAlertSetting(whenAbsent)]),
  ),
  [checkFields.dependsOn.json]: (facts) => {
    walk.content();
    facts.isDependent = walk.end > walk.start;
  },
  [checkFields.filterSubject.json]: takeFilter,
  [checkFields.filterBody.json]: takeFilter,
  [checkFields.filterHttpBody.json]: takeFilter,
};

function takeFilter(facts: CheckFacts): void {
  if (walk.flag()) facts.isPlain = false;
}

function takeUuid(words: UuidWords): boolean {
  walk.content();
  if (walk.end - walk.start !== uuidBytes) throw damaged('a check lacks its project or its badge');
  words.read(walk.bytes, walk.start);
  return true;
}

function text(): string {
  walk.content();
  return walk.bytes.toString('utf8', walk.start, walk.end);
}

function kindOf({ kind }: CheckField): WalkedKind {
  if (kind === 'integer') return 'number';
  if (kind === 'flag') return 'flag';
  return kind === 'channels' ? 'binary' : 'text';
}

const keys = new WalkedKeys<KnownKey>();

function learn(name: string, kind: WalkedKind, take: Take): void {
  keys.learn(name, { name, kind, take });
}

for (const [name, [kind, take]] of Object.entries(heads)) learn(name, kind, take);
for (const field of checkFieldNames) {
  const { json } = checkFields[field];
  const take = takes[json];
  learn(json, kindOf(checkFields[field]), (facts) => {
    if (take) take(facts);
    else walk.skip();
    return false;
  });
}

learn('runs', 'map', (facts) => {
  walk.skip();
  facts.isTracked = true;
  facts.isPlain = false;
  return false;
});
learn('acknowledged', 'map', () => {
  walk.skip();
  return false;
});
learn('snoozed', 'map', (facts) => {
  facts.snoozedUntilMs = numberIn('until') ?? 0;
  return false;
});
learn('held', 'map', (facts) => {
  holdUntil(facts, numberIn('until') ?? NEVER);
  return false;
});
learn('alerting', 'map', (facts) => {
  facts.isPlain = false;
  const missMs = numberIn('next_miss');
  if (missMs !== null) holdUntil(facts, missMs);
  return false;
});

function holdUntil(facts: CheckFacts, atMs: number): void {
  facts.isPlain = false;
  facts.heldUntilMs = Math.min(facts.heldUntilMs ?? NEVER, atMs);
}

/** Steps over a map; gives the number that it has under that name, null for none. */
function numberIn(name: string): number | null {
  let found: number | null = null;
  for (let pairs = walk.map(); pairs > 0; pairs--) {
    walk.content();
    if (walk.bytes.toString('latin1', walk.start, walk.end) === name) found = walk.number();
    else walk.skip();
  }
  return found;
}

/** Fills in `facts`. Throws a `store-broken` error for what is no check's row. */
export function readCheckFacts(row: Buffer, facts: CheckFacts): void {
  const defaults = checkFieldDefaults;
  facts.slugStart = facts.slugEnd = 0;
  facts.isSimple = facts.isPlain = true;
  facts.isTracked = facts.isDependent = false;
  facts.timeoutS = defaults.timeoutS;
  facts.graceS = defaults.graceS;
  facts.schedule = defaults.schedule;
  facts.tz = defaults.tz;
  facts.snoozedUntilMs = 0;
  facts.heldUntilMs = null;
  walk.open(row);
  let missing = Object.keys(heads).length;
  const pairs = walk.map();
  for (let pair = 0; pair < pairs; pair++) {
    const key = keys.next(walk, pair);
    if (key === null) walk.skip();
    else if (walk.kind() !== key.kind) throw damaged(`a record's field ${key.name} holds something else`);
    else if (key.take(facts, walk)) missing--;
  }
  if (missing > 0) throw damaged('a check lacks its project or its badge');
  if (!walk.isAtEnd) throw damaged('a record is longer than it says');
}
