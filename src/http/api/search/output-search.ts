/**
 * Searches the outputs of checks, the newest first, a bounded part of them at a time. It reads a body, looks for the words, and
 * gives other work a turn after each millisecond or two. A search that was not done leaves its walk here for a moment, so that the
 * next request goes on at once.
 * Not here: who may search (`search`), in which order outputs come (`output-walk`), what a word matches (`domain/words`).
 * Invariant: one call reads at most `bytesMax` and what one more output has, for about `workMs`; it says which part that was.
 */
import type { PingOutput } from '../../../domain/check/ping.ts';
import { findWords, type TextHit } from '../../../domain/words/excerpt.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import { type CheckId, newUuid } from '../../../lib/ids.ts';
import { outputSearchLimits } from '../../limits.ts';
import { OutputWalk, type WalkPlace, type WalkStep } from './output-walk.ts';
import { SearchTurns } from './search-turns.ts';
import { wordFilter } from './word-filter.ts';

/** The parts of a mail that a person reads. Empty for one that cannot be read. */
interface MailText {
  readonly subject: string;
  readonly texts: readonly string[];
}

interface OutputSearchOptions {
  /** Reads a mail, on another thread: a stranger may have written it. Absent: mails are searched as they came. */
  readonly readMail?: (mail: Uint8Array) => Promise<MailText>;
}

export interface OutputQuery {
  /** Folded. */
  readonly words: readonly string[];
  /** Distinguishes walks: of which project, and of which of its checks. */
  readonly scope: string;
  readonly project: string;
  /** The checks in question, for a search that has no walk here. */
  ids(): Promise<readonly CheckId[]>;
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly limit: number;
  readonly after: SearchCursor | null;
}

/** Where a search goes on. */
export interface SearchCursor {
  /** Null: no output was searched yet. */
  readonly place: WalkPlace | null;
  /** Name of the walk; it may be gone. */
  readonly walk: string;
}

export interface OutputHit {
  readonly id: CheckId;
  readonly output: PingOutput;
  readonly hit: TextHit;
}

export interface FoundOutputs {
  /** Newest first. */
  readonly hits: readonly OutputHit[];
  /** What was searched by this call. */
  readonly pings: number;
  readonly bytes: number;
  /** Null when there is nothing left. */
  readonly next: SearchCursor | null;
}

interface KeptWalk {
  readonly scope: string;
  readonly walk: OutputWalk;
  /** Those that were taken out of the walk and are not searched yet. */
  readonly steps: WalkStep[];
  /** The last output that was searched. */
  readonly place: WalkPlace | null;
}

type OutputReads = Pick<EngineRead, 'outputs' | 'lookAtBody' | 'keepsBody' | 'prefetchBodies'>;

const { sliceMs, workMs, bytesMax, pingsAhead, bytesAhead, keptMs, keptWalksMax, keptChecksMax } =
  outputSearchLimits;

export class OutputSearch {
  readonly #readMail: OutputSearchOptions['readMail'];
  readonly #turns = new SearchTurns();
  /** The latest last. */
  readonly #kept = new Map<string, KeptWalk>();

  constructor({ readMail }: OutputSearchOptions = {}) {
    this.#readMail = readMail;
  }

  /** Resolves to null if too many searches of the project wait. */
  async find(read: OutputReads, query: OutputQuery): Promise<FoundOutputs | null> {
    const entered = this.#turns.enter(query.project);
    if (entered === null) return null;
    await entered;
    try {
      return await this.#find(read, query);
    } finally {
      this.#turns.leave(query.project);
    }
  }

  async #find(read: OutputReads, query: OutputQuery): Promise<FoundOutputs> {
    const { after, untilMs, sinceMs, limit } = query;
    const place = after?.place ?? null;
    const { walk, steps } = this.#takeKept(query) ?? {
      walk: new OutputWalk(read, await query.ids(), { after: place, untilMs }),
      steps: [] as WalkStep[],
    };
    const found = { hits: [] as OutputHit[], pings: 0, bytes: 0 };
    let last = place;
    const kept = (): FoundOutputs => ({ ...found, next: this.#keep({ walk, steps, place: last }, query) });
    const work = new Work(this.#turns);
    await work.begin();
    while (walk.placeNext()) {
      if (work.isOver) return kept();
      await work.mayRest();
    }
    const mayHave = wordFilter(query.words);
    for (;;) {
      if (steps.length === 0) {
        await nextSteps(walk, steps, work);
        await read.prefetchBodies(steps);
        await work.begin();
      }
      const [step] = steps;
      if (!step || step.atMs < sinceMs) return { ...found, next: null };
      const { hits, pings, bytes } = found;
      if (hits.length >= limit || bytes >= bytesMax || (pings > 0 && work.isOver)) return kept();
      // Most bodies are looked at where they are, and not copied.
      const body = read.lookAtBody(step.id, step.n, (stored) => {
        found.bytes += stored.length;
        return step.output.scheme === 'email' || mayHave(stored) ? Buffer.from(stored) : null;
      });
      found.pings++;
      const hit = body && (await this.#look(body, step, query.words, work));
      // Asked of hits only: rules may have dropped it since the walk came by, or need all pings of the check.
      if (hit && read.keepsBody(step.id, step.output)) hits.push({ id: step.id, output: step.output, hit });
      last = step;
      steps.shift();
      await work.mayRest();
    }
  }

  async #look(
    body: Buffer,
    { output }: WalkStep,
    words: readonly string[],
    work: Work,
  ): Promise<TextHit | null> {
    if (output.scheme !== 'email' || !this.#readMail) return findWords(body.toString('utf8'), words);
    const { subject, texts } = await this.#readMail(body);
    await work.begin();
    const text = [subject, ...texts].join('\n');
    return findWords(text.trim() === '' ? body.toString('utf8') : text, words);
  }

  #takeKept({ after, scope, untilMs }: OutputQuery): KeptWalk | null {
    const kept = after && this.#kept.get(after.walk);
    if (!kept || kept.scope !== `${scope} ${untilMs}` || !isSame(kept.place, after.place)) return null;
    this.#kept.delete(after.walk);
    return kept;
  }

  #keep(kept: Omit<KeptWalk, 'scope'>, { scope, untilMs }: OutputQuery): SearchCursor {
    const name = newUuid().slice(0, 8);
    kept.walk.trim();
    this.#kept.set(name, { ...kept, scope: `${scope} ${untilMs}` });
    let checks = 0;
    for (const [other, { walk: one }] of [...this.#kept].reverse()) {
      checks += one.size;
      if (other !== name && checks > keptChecksMax) this.#kept.delete(other);
    }
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size > keptWalksMax) this.#kept.delete(oldest);
    setTimeout(() => this.#kept.delete(name), keptMs).unref();
    const { place } = kept;
    return { place: place && { atMs: place.atMs, id: place.id, n: place.n }, walk: name };
  }
}

/** Takes the next steps out of the walk, whose bodies are then read from the disk together, on another thread. */
async function nextSteps(walk: OutputWalk, steps: WalkStep[], work: Work): Promise<void> {
  let bytes = 0;
  for (let step = walk.peek(); step; step = walk.peek()) {
    steps.push(step);
    bytes += step.output.bodyBytes;
    walk.pass();
    if (steps.length >= pingsAhead || bytes >= bytesAhead) return;
    // Checks that ping alike have their next pings read one right after the other.
    await work.mayRest();
  }
}

function isSame(one: WalkPlace | null, other: WalkPlace | null): boolean {
  return one?.atMs === other?.atMs && one?.id === other?.id && one?.n === other?.n;
}

/** The time of one call: how long a slice of it may be, and when it has done enough. */
class Work {
  readonly #turns: SearchTurns;
  readonly #endMs = performance.now() + workMs;
  #sliceEndMs = 0;

  constructor(turns: SearchTurns) {
    this.#turns = turns;
  }

  get isOver(): boolean {
    return performance.now() >= this.#endMs;
  }

  /** Begins a slice. */
  async begin(): Promise<void> {
    await this.#turns.slice();
    this.#sliceEndMs = performance.now() + sliceMs;
  }

  /** Gives other work a turn if the slice is over. */
  mayRest(): Promise<void> | undefined {
    return performance.now() < this.#sliceEndMs ? undefined : this.begin();
  }
}
