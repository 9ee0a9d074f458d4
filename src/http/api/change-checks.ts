/**
 * Creates, updates, pauses, resumes and deletes checks (specification, "Checks"). `check-spec` decides what is valid,
 * `apply-spec` what follows from it, and `domain/check/check-machine` has the states.
 * Invariant: between the look-up of a check and the request for its change there is no await.
 */

import { assignedChannels } from '../../domain/accounts/assigned-channels.ts';
import { getsAlerts } from '../../domain/accounts/project.ts';
import { type Check, type CheckConfig, defaultConfig } from '../../domain/check/check.ts';
import { notWritableWords } from '../../engine/contract/not-written.ts';
import { KnellError } from '../../lib/errors.ts';
import { configAfter, matchesUnique } from '../../spec/apply-spec.ts';
import { type CheckSpec, parseSpec } from '../../spec/check-spec.ts';
import { errorReply, notFound, renderedReply } from '../wire/json-reply.ts';
import type { HttpReply } from '../wire/message.ts';
import { type ApiCall, viewOf } from './call.ts';
import { checkRenderer } from './check-json.ts';
import { actOnCheck } from './check-lookup.ts';

/** Creates a check. With `unique`, updates the oldest check that is the same in all fields named there. */
export async function createCheck(call: ApiCall): Promise<HttpReply> {
  const { change, project, nowMs } = call;
  const parsed = parseSpec(call.json);
  if (!parsed.ok) return errorReply(400, parsed.error);
  const existing = oldestMatch(call, parsed.spec);
  const config = nextConfig(call, existing?.config ?? defaultConfig, parsed.spec);
  if ('refusal' in config) return config.refusal;
  if (existing !== null) return changeReply(call, change.updateCheck(existing.id, config.config, nowMs));
  return changeReply(call, change.createCheck(project.id, config.config, nowMs), 201);
}

export function updateCheck(call: ApiCall): Promise<HttpReply> {
  return actOnCheck(call, async (check) => {
    const parsed = parseSpec(call.json);
    if (!parsed.ok) return errorReply(400, parsed.error);
    const config = nextConfig(call, check.config, parsed.spec);
    if ('refusal' in config) return config.refusal;
    return changeReply(call, call.change.updateCheck(check.id, config.config, call.nowMs));
  });
}

export function pauseCheck(call: ApiCall): Promise<HttpReply> {
  return actOnCheck(call, async ({ id }) => changeReply(call, call.change.pauseCheck(id, call.nowMs)));
}

export function resumeCheck(call: ApiCall): Promise<HttpReply> {
  return actOnCheck(call, async ({ id }) => changeReply(call, call.change.resumeCheck(id, call.nowMs)));
}

export function deleteCheck(call: ApiCall): Promise<HttpReply> {
  return actOnCheck(call, async ({ id }) => changeReply(call, call.change.deleteCheck(id, call.nowMs)));
}

function oldestMatch({ read, project, nowMs }: ApiCall, spec: CheckSpec): Check | null {
  if (spec.unique === undefined || spec.unique.length === 0) return null;
  const texts = { name: spec.name, slug: spec.slug, tags: spec.tags, timeout: '', grace: '' };
  const mentions = spec.unique.map((field) => texts[field] ?? '');
  return read.oldestCheck(project.id, { matches: (config) => matchesUnique(config, spec), mentions }, nowMs);
}

type NextConfig = { readonly config: CheckConfig } | { readonly refusal: HttpReply };

function nextConfig({ read, project, version }: ApiCall, before: CheckConfig, spec: CheckSpec): NextConfig {
  if (spec.channels === undefined) return { config: configAfter(before, spec, version, undefined) };
  const assigned = assignedChannels(spec.channels, read.channels(project.id).filter(getsAlerts));
  if (!assigned.ok) return { refusal: errorReply(400, assigned.error) };
  return { config: configAfter(before, spec, version, assigned.ids) };
}

/** Seconds after which a client tries again. Space may be freed at any moment; more frequent requests only add to the load. */
const storeFullRetrySeconds = '10';

/** Replies with the changed check. */
export async function changeReply(call: ApiCall, change: Promise<Check>, status = 200): Promise<HttpReply> {
  return repliedOr(call, async () => renderedReply(checkRenderer(viewOf(call))(await change), status));
}

/** The reply of `act`, which changes something. A KnellError becomes a refusal; any other error is thrown. */
export async function repliedOr(call: ApiCall, act: () => Promise<HttpReply>): Promise<HttpReply> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof KnellError)) throw error;
    return refusalReply(call, error);
  }
}

export function refusalReply({ read }: Pick<ApiCall, 'read'>, error: KnellError): HttpReply {
  switch (error.code) {
    case 'not-found':
      return notFound;
    case 'over-limit':
      return errorReply(403, `check limit reached: ${error.message}`);
    case 'usage':
      return errorReply(400, error.message);
    case 'conflict':
      return errorReply(409, error.message);
    case 'store-full':
      return errorReply(503, `${notWritableWords(read)}, nothing was changed`, [
        ['Retry-After', storeFullRetrySeconds],
      ]);
    default:
      throw error;
  }
}
