/**
 * Listing checks and showing one.
 * Invariant: a list is rendered and encoded slice by slice; the whole of it is only ever put together as bytes.
 */
import { type Check, tagsOf } from '../../domain/check.ts';
import { visitChecks } from '../check-slices.ts';
import { jsonBytesReply, jsonReply } from '../json-reply.ts';
import type { HttpReply } from '../message.ts';
import { type Call, lastOf, viewOf } from './call.ts';
import { checkJson } from './check-json.ts';
import { showCheck } from './found-check.ts';

/** Filters: `slug`, one; `tag`, any number, of which a check must have all. */
export async function listChecks(call: Call): Promise<HttpReply> {
  const { read, project, nowMs } = call;
  const wanted = filterOf(call.query);
  const view = viewOf(call);
  const slices = await visitChecks(read, project.id, nowMs, (checks) =>
    encode(checks.filter(wanted).map((check) => JSON.stringify(checkJson(check, view)))),
  );
  return jsonBytesReply(joined(slices.filter((slice) => slice.length > 0)));
}

export function getCheck(call: Call): Promise<HttpReply> {
  return showCheck(call, (check) => jsonReply(checkJson(check, viewOf(call))));
}

/** An empty slug filters nothing, an empty tag everything: no check has one. */
function filterOf(query: URLSearchParams): (check: Check) => boolean {
  const slug = lastOf(query, 'slug') ?? '';
  const tags = [...new Set(query.getAll('tag'))];
  return ({ config }) => {
    if (slug !== '' && config.slug !== slug) return false;
    if (tags.length === 0) return true;
    const present = tagsOf(config);
    return tags.every((tag) => present.includes(tag));
  };
}

function encode(items: readonly string[]): Uint8Array {
  return Buffer.from(items.join(','));
}

const opening = Buffer.from('{"checks":[');
const comma = Buffer.from(',');
const closing = Buffer.from(']}');

function joined(slices: readonly Uint8Array[]): Uint8Array {
  const parts = slices.flatMap((slice, index) => (index === 0 ? [slice] : [comma, slice]));
  return Buffer.concat([opening, ...parts, closing]);
}
