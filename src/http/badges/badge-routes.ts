/**
 * Serves badges: the status of a check, a tag or a project as a picture or as JSON, for anyone who has the address.
 * `badge-address` and `api/project` give the addresses out; `badge-svg` draws.
 * Invariant: a badge names no UUID and no check but its own, and no cache may keep it.
 */
import { type Check, type Status, tagsOf } from '../../domain/check/check.ts';
import { isShownWarned } from '../../domain/check/shown-status.ts';
import { nameCharsMax } from '../../domain/limits.ts';
import type { EngineRead } from '../../engine/contract/engine.ts';
import { visitChecks } from '../../engine/reads/check-slices.ts';
import { asBadgeId } from '../../lib/ids.ts';
import { answerAcrossOrigins } from '../wire/cors.ts';
import { type Headers, jsonReply, notFound } from '../wire/json-reply.ts';
import type { HttpReply, HttpRequest, Route } from '../wire/message.ts';
import { neverCached } from '../wire/replies.ts';
import { everyTag, isSigned, twoStatesMark } from './badge-address.ts';
import { type BadgeStatus, badgeSvg } from './badge-svg.ts';

interface BadgeOptions {
  readonly read: EngineRead;
  /** Label of the badge for all checks of a project. */
  readonly label: string;
}

/** Serves the paths that begin with `/badge/` or `/b/`. */
export function createBadges(options: BadgeOptions): Route {
  return (request) =>
    answerAcrossOrigins(request, ['GET'], async () =>
      uncached(await answer(options, request), request.receivedAtMs),
    );
}

async function answer(
  { read, label }: BadgeOptions,
  { path, query, receivedAtMs }: HttpRequest,
): Promise<HttpReply> {
  const badge = badgeOf(path);
  if (badge === null) return notFound;
  if (badge.of === 'check') {
    const shown = await checkShown(read, badge, receivedAtMs);
    return shown === null ? notFound : rendered(shown, badge);
  }
  const tag = signedTag(read, badge);
  const shown = tag === null ? null : await tagShown(read, { ...badge, tag }, receivedAtMs);
  if (shown === null) return notFound;
  return rendered(tag === everyTag ? { ...shown, label: labelIn(query) || label } : shown, badge);
}

/** The label that an address gives the badge of a project; empty where it gives none, or one that nothing may be called. */
function labelIn(query: string): string {
  const asked = query === '' ? '' : (new URLSearchParams(query).get('label') ?? '').trim();
  return asked.length <= nameCharsMax && !/\p{C}/u.test(asked) ? asked : '';
}

interface Appearance {
  readonly format: Format;
  /** Whether late is a state of its own; otherwise late checks count as up. */
  readonly threeStates: boolean;
}

type Format = 'svg' | 'json' | 'shields';

interface CheckBadge extends Appearance {
  readonly of: 'check';
  readonly id: string;
}

interface TagBadge extends Appearance {
  readonly of: 'tag';
  readonly badgeKey: string;
  readonly signature: string;
  /** Possible tags of the path: decoded once, and also decoded twice if that gives another text. */
  readonly tags: readonly string[];
}

const checkPath = /^\/b\/(?<states>[23])\/(?<id>[0-9a-f-]{36})\.(?<format>svg|json|shields)$/;
// A proxy may have decoded the slash in a tag, so everything after the signature is the tag.
const tagPath =
  /^\/badge\/(?<badgeKey>[\w-]+)\/(?<signature>[\w-]{8})(?<mark>-2)?(?:\/(?<tag>.+))?\.(?<format>svg|json|shields)$/;

/** Returns the badge that a path asks for, or null; it may still not exist. */
function badgeOf(path: string): CheckBadge | TagBadge | null {
  const check = checkPath.exec(path)?.groups;
  if (check !== undefined) {
    const { id = '', states, format } = check;
    return { of: 'check', id, threeStates: states === '3', format: formatOf(format) };
  }
  const found = tagPath.exec(path)?.groups;
  const tag = found === undefined ? null : decoded(found.tag ?? everyTag);
  if (found === undefined || tag === null) return null;
  const again = decoded(tag);
  const { badgeKey = '', signature = '', mark, format } = found;
  return {
    of: 'tag',
    badgeKey,
    signature,
    tags: again === null || again === tag ? [tag] : [tag, again],
    threeStates: mark !== twoStatesMark,
    format: formatOf(format),
  };
}

function formatOf(text: string | undefined): Format {
  return text === 'json' || text === 'shields' ? text : 'svg';
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

interface Tally {
  readonly total: number;
  readonly grace: number;
  readonly down: number;
  /** See `isShownWarned`. */
  readonly warned: number;
}

interface Shown {
  readonly label: string;
  readonly tally: Tally;
}

/** The label of a check without a name is not its UUID: readers of a badge must not learn the ping URL. */
function checkShown(read: EngineRead, { id }: CheckBadge, nowMs: number): Promise<Shown | null> {
  return read.durably(() => {
    const check = read.checkByBadge(asBadgeId(id), nowMs);
    if (check === null) return null;
    const { name, slug } = check.config;
    return {
      label: name || slug || 'unnamed',
      tally: tallyOf([check]),
    };
  });
}

/**
 * Returns the tag that the address was made for. Healthchecks encodes a tag twice in its addresses, Knell once; the signature
 * shows which of the two it is. It is checked before the project is looked up, so only addresses of this installation reach the
 * look-up.
 */
function signedTag(read: EngineRead, { badgeKey, signature, tags }: TagBadge): string | null {
  const { badgeSecret, importedSecret } = read;
  const secrets = { badgeSecret, importedSecret, badgeKey };
  return tags.find((tag) => isSigned(secrets, tag, signature)) ?? null;
}

async function tagShown(
  read: EngineRead,
  { badgeKey, tag }: Pick<TagBadge, 'badgeKey'> & { readonly tag: string },
  nowMs: number,
): Promise<Shown | null> {
  const project = read.projectByBadgeKey(badgeKey);
  if (project === null) return null;
  const slices = await visitChecks(read, project.id, nowMs, (checks) =>
    tallyOf(checks.filter((check) => carries(check, tag))),
  );
  const tally = slices.reduce((sum, slice) => ({
    total: sum.total + slice.total,
    grace: sum.grace + slice.grace,
    down: sum.down + slice.down,
    warned: sum.warned + slice.warned,
  }));
  return { label: tag, tally };
}

/** Looks for the substring first: most checks do not have it, and splitting their tags costs more. */
function carries({ config }: Check, tag: string): boolean {
  return tag === everyTag || (config.tags.includes(tag) && tagsOf(config).includes(tag));
}

function tallyOf(checks: readonly Check[]): Tally {
  const count = (wanted: Status): number => checks.filter(({ state }) => state.status === wanted).length;
  const warned = checks.filter(({ state }) => isShownWarned(state)).length;
  return { total: checks.length, grace: count('grace'), down: count('down'), warned };
}

/** A project without checks, or with none that ever pinged, is up. */
function statusOf({ grace, down }: Tally, threeStates: boolean): BadgeStatus {
  if (down > 0) return 'down';
  return grace > 0 && threeStates ? 'late' : 'up';
}

/** Colour names of shields.io. */
const shieldsColors: Readonly<Record<BadgeStatus, string>> = {
  up: 'success',
  late: 'important',
  down: 'critical',
};

function rendered({ label, tally }: Shown, { format, threeStates }: Appearance): HttpReply {
  const { warned, ...counts } = tally;
  const status = statusOf(tally, threeStates);
  switch (format) {
    case 'json':
      return jsonReply({ status, ...counts, ...(warned === 0 ? {} : { warning: warned }) });
    case 'shields':
      return jsonReply({ schemaVersion: 1, label, message: status, color: shieldsColors[status] });
    case 'svg':
      return { status: 200, headers: [['Content-Type', 'image/svg+xml']], body: badgeSvg(label, status) };
  }
}

function uncached(reply: HttpReply, nowMs: number): HttpReply {
  const headers: Headers = [
    ['Expires', new Date(nowMs).toUTCString()],
    ['Cache-Control', neverCached],
  ];
  return { ...reply, headers: [...reply.headers, ...headers] };
}
