/**
 * Answers `If-None-Match` with 304 without rendering anything, where the answer would be the one that the client has.
 *
 * A tag is the instant until which nothing in the answer changes only because time passes, and a digest of that instant, of what was asked by
 * which kind of key, and of the version of the project's lists. It is a strong one: the same tag means the same bytes. It needs no
 * memory: what it says is computed again. Another process, or another node, has other versions, so a tag of its is worth one
 * rendering.
 * Invariant: a 304 goes out only when the version that it is about is durable, as a rendered answer would.
 */
import { createHash, randomUUID } from 'node:crypto';
import { NEVER } from '../../lib/units.ts';
import { entityTagsReadMax } from '../limits.ts';
import type { HttpReply } from '../wire/message.ts';
import type { ApiCall } from './call.ts';
import type { RouteHandler } from './routes.ts';

/** What was asked, beyond what an endpoint gets. */
export interface Asked {
  /** What distinguishes this process from others, whose versions are counted anew: random. */
  readonly epoch: string;
  /** Path and query as they were sent. */
  readonly target: string;
  /** The header as it was sent; empty for none. */
  readonly ifNoneMatch: string;
}

/** A call without the part of it that is made here. */
export type UntaggedCall = Omit<ApiCall, 'changesAt'>;

/** Answers by `endpoint`, or with 304. Version 1 shows for how long a run takes, as only a rendering knows: it has no tags. */
export async function answerTagged(
  call: UntaggedCall,
  asked: Asked,
  handler: RouteHandler,
): Promise<HttpReply> {
  if (call.version === 1) return handler.endpoint({ changesAt: () => {}, ...call });
  const known = knownTag(call, asked, handler);
  // What it has seen may still be rolled back: then the question is asked again.
  const certain = known && (await call.read.durably(() => knownTag(call, asked, handler)));
  if (certain) return { status: 304, headers: [['ETag', certain]], body: '' };
  // Of before the rendering: what changes during it makes the tag one that matches nothing.
  const version = await versionToRender(call, handler);
  let untilMs = version === null ? call.nowMs : NEVER;
  const reply = await handler.endpoint({
    changesAt: (atMs) => {
      untilMs = Math.min(untilMs, atMs);
    },
    ...call,
  });
  if (reply.status !== 200) return reply;
  // Without a version it is a tag that no other answer has, of the same millisecond neither.
  const tag = tagOf(call, asked, { version: version ?? randomUUID(), untilMs });
  return { ...reply, headers: [...reply.headers, ['ETag', tag]] };
}

/**
 * The version counts what is not durable yet, and the past is read from what is. Rendered at once, an answer without the latest change
 * would have the tag of the one with it, and a client that had asked within these milliseconds would get 304 until the next change.
 */
function versionToRender(call: UntaggedCall, handler: RouteHandler): string | null | Promise<string | null> {
  if (!handler.showsHistory && !handler.showsAnything) return versionOf(call, handler);
  return call.read.durably(() => versionOf(call, handler));
}

/** Null while a fold drops what is too old: what is shown may change without a change of the project. */
function versionOf(
  { read, project }: UntaggedCall,
  { showsHistory, showsAnything }: RouteHandler,
): string | null {
  const written = showsAnything ? ` ${read.eventsUntil().seq}` : '';
  const changes = `${read.listVersion(project.id)}${written}`;
  if (!showsHistory) return changes;
  return read.historyVersion === null ? null : `${changes} ${read.historyVersion}`;
}

/** The one of the client's tags that the answer would have; null for none. A `*` matches no tag: what there is, is rendered. */
function knownTag(call: UntaggedCall, asked: Asked, handler: RouteHandler): string | null {
  if (asked.ifNoneMatch === '') return null;
  const version = versionOf(call, handler);
  if (version === null) return null;
  for (const given of asked.ifNoneMatch.split(',', entityTagsReadMax)) {
    // A proxy that compresses makes it a weak one.
    const tag = given.trim().replace(/^W\//, '');
    const untilMs = untilOf(tag);
    if (untilMs > call.nowMs && tag === tagOf(call, asked, { version, untilMs })) return tag;
  }
  return null;
}

/** Radix of the instant in a tag; 0 means never. */
const radix = 36;

/** NaN for what is no tag of here. */
function untilOf(tag: string): number {
  const [, text = ''] = /^"([0-9a-z]{1,11})\./.exec(tag) ?? [];
  return text === '0' ? NEVER : Number.parseInt(text, radix);
}

interface Contents {
  readonly version: string;
  readonly untilMs: number;
}

function tagOf(call: UntaggedCall, { epoch, target }: Asked, { version, untilMs }: Contents): string {
  const { project, readOnly, baseUrl } = call;
  // Rounded down: a millisecond early is one rendering too many, at worst.
  const until = untilMs === NEVER ? '0' : Math.max(1, Math.floor(untilMs)).toString(radix);
  const parts = [epoch, version, until, project.id, project.plan, readOnly, baseUrl, target];
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  return `"${until}.${digest.slice(0, digestChars)}"`;
}

/** Characters of a digest: 132 bits, so that no two answers have the same by chance. */
const digestChars = 22;
