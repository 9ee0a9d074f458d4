/**
 * Status pages as `config show` gives them, and the steps of `config apply` about them. Not here: notices, which are written for a day
 * (`status-notices`).
 * Invariant: what these steps take is checked as what owners enter is.
 */

import { isPasswordHash } from '../../domain/accounts/password-hash.ts';
import type { StatusPage } from '../../domain/accounts/status-page.ts';
import type { ConfiguredStatusPage } from '../../domain/configuration/configuration.ts';
import { KnellError } from '../../lib/errors.ts';
import { asStatusPageId, newUuid, sha256Hex } from '../../lib/ids.ts';
import { type CommandRequest, textIn } from '../contract/command.ts';
import { newStatusPageIn } from '../contract/status-page-input.ts';
import { changed, projectIn } from './outdated-plan.ts';

export function configuredStatusPage(page: StatusPage): ConfiguredStatusPage {
  const { id, slug, title, description, timeZone, logo, passwordHash, services } = page;
  return {
    id,
    etag: statusPageEtag(page),
    slug,
    title,
    description,
    time_zone: timeZone,
    logo,
    password_hash: passwordHash,
    services: services.map((one) => ({
      id: one.id,
      name: one.name,
      tag: one.tag,
      checks: [...one.checks].sort(),
    })),
  };
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

/** What is left out of the file has its default, also in a page that is there. */
function contentIn(request: CommandRequest) {
  const { time_zone: timeZone, slug, title, description, logo, services } = request.args;
  const args = { slug, title, description, logo, services, timeZone };
  return newStatusPageIn({ ...request, args }, projectIn(request)).fields;
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
  const { slug, title, description, timeZone, passwordHash, logo, services } = page;
  const configured = [slug, title, description, timeZone, passwordHash, logo, services];
  return sha256Hex(JSON.stringify(configured)).slice(0, 32);
}
