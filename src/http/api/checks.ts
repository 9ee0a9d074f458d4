/**
 * Listing checks and showing one.
 * Invariant: a list is rendered slice by slice and encoded slice by slice, and never stands in memory as one string.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Check, tagsOf } from '../../domain/check.ts';
import { MB } from '../../lib/units.ts';
import { visitChecks } from '../check-slices.ts';
import { renderedReply } from '../json-reply.ts';
import type { HttpReply } from '../message.ts';
import { type Call, lastOf, viewOf } from './call.ts';
import { checkRenderer } from './check-json.ts';
import { showCheck } from './found-check.ts';

/** Filters: `slug`, one; `tag`, any number, of which a check must have all. */
export async function listChecks(call: Call): Promise<HttpReply> {
  const { read, project, nowMs } = call;
  const wanted = filterOf(call.query);
  const render = checkRenderer(viewOf(call));
  const slices = await visitChecks(read, project.id, nowMs, (checks) =>
    checks.filter(wanted).map(render).join(','),
  );
  return renderedReply(await encoded(slices.filter((slice) => slice !== '')));
}

export function getCheck(call: Call): Promise<HttpReply> {
  return showCheck(call, (check) => renderedReply(checkRenderer(viewOf(call))(check)));
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

/** Fresh memory is what encoding costs: about 1 ms for each MB. */
const bytesPerTurn = 2 * MB;

async function encoded(slices: readonly string[]): Promise<Uint8Array> {
  const texts = [
    '{"checks":[',
    ...slices.flatMap((slice, index) => (index === 0 ? [slice] : [',', slice])),
    ']}',
  ];
  const bytes = Buffer.allocUnsafe(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0));
  let end = 0;
  let turnAt = bytesPerTurn;
  for (const text of texts) {
    if (end > turnAt) {
      await nextTurn();
      turnAt = end + bytesPerTurn;
    }
    end += bytes.write(text, end);
  }
  return bytes;
}
