/**
 * Status pages as `config show` gives them, and the steps of `config apply` about them. Not here: notices, which are written for a day
 * (`status-notices`).
 * Invariant: what these steps take is checked as what owners enter is.
 */

import { isPasswordHash } from '../../domain/accounts/password-hash.ts';
import type { StatusPage } from '../../domain/accounts/status-page.ts';
import {
  givenPageFields,
  type StatusPageFieldName,
  statusPageFieldNames,
  statusPageFields,
  type ValuesByJson,
} from '../../domain/accounts/status-page-fields.ts';
import type { ConfiguredStatusPage } from '../../domain/configuration/configuration.ts';
import { KnellError } from '../../lib/errors.ts';
import { asStatusPageId, newUuid, sha256Hex } from '../../lib/ids.ts';
import { type CommandRequest, textIn } from '../contract/command.ts';
import { newStatusPageIn } from '../contract/status-page-input.ts';
import { changed, projectIn } from './outdated-plan.ts';

export function configuredStatusPage(page: StatusPage): ConfiguredStatusPage {
  return {
    id: page.id,
    etag: statusPageEtag(page),
    ...valuesByJson(page),
    services: page.services.map((one) => ({
      id: one.id,
      name: one.name,
      tag: one.tag,
      checks: [...one.checks].sort(),
    })),
  };
}

function valuesByJson(page: StatusPage): ValuesByJson<StatusPageFieldName> {
  const values = statusPageFieldNames.map((name) => [statusPageFields[name].json, page[name]] as const);
  return Object.fromEntries(values) as ValuesByJson<StatusPageFieldName>;
}

export async function createStatusPage(request: CommandRequest): Promise<{ id: string }> {
  const { context, nowMs } = request;
  const { id: projectId } = projectIn(request);
  return context.engine.change.putStatusPage({
    id: asStatusPageId(newUuid()),
    projectId,
    ...contentIn(request),
    passwordHash: passwordHashIn(request) ?? '',
    notices: [],
    createdAtMs: nowMs,
  });
}

export async function editStatusPage(request: CommandRequest): Promise<{ id: string }> {
  const page = pageToChange(request);
  const passwordHash = passwordHashIn(request) ?? page.passwordHash;
  return request.context.engine.change.putStatusPage({ ...page, ...contentIn(request), passwordHash });
}

export async function deleteStatusPage(request: CommandRequest): Promise<{ id: string }> {
  const { id } = pageToChange(request);
  await request.context.engine.change.deleteStatusPage(id);
  return { id };
}

/** A field that is left out of the file has its default, also in a page that exists. */
function contentIn(request: CommandRequest) {
  const { args } = request;
  const values = givenPageFields.map((name) => [name, args[statusPageFields[name].json]] as const);
  const given = { ...Object.fromEntries(values), services: args.services };
  return newStatusPageIn({ ...request, args: given }, projectIn(request)).fields;
}

/** Null: as it is. */
function passwordHashIn({ args }: CommandRequest): string | null {
  const { password_hash: hash = null } = args;
  if (hash === null || hash === '') return hash;
  if (typeof hash === 'string' && isPasswordHash(hash)) return hash;
  throw new KnellError('usage', 'password_hash must be one that knell export has printed');
}

function pageToChange(request: CommandRequest): StatusPage {
  const id = asStatusPageId(textIn(request.args, 'id'));
  const page = request.context.engine.read.statusPage(id);
  if (page?.projectId !== projectIn(request).id || statusPageEtag(page) !== request.args.expect)
    throw changed(`status page ${page?.slug ?? id}`);
  return page;
}

function statusPageEtag(page: StatusPage): string {
  const configured = [...statusPageFieldNames.map((name) => page[name]), page.services];
  return sha256Hex(JSON.stringify(configured)).slice(0, 32);
}
