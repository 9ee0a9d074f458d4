/**
 * `config show`: the configuration in its normal form, for `knell export` and `knell apply`. The projects and users first,
 * then the checks of each in pages and the status pages one by one, so that a long list neither holds up a ping nor fills the memory.
 * Invariant: a secret leaves only when secrets are asked for; otherwise programs get a fingerprint to compare theirs with.
 */

import { createHmac } from 'node:crypto';
import { integrationSettings } from '../../domain/accounts/channel-settings.ts';
import { type ApiKey, type Channel, type Project, settingsOf } from '../../domain/accounts/project.ts';
import type { Check } from '../../domain/check/check.ts';
import {
  type ConfiguredCheck,
  type ConfiguredIntegration,
  type ConfiguredKey,
  type ConfiguredProject,
  type ConfiguredStatusPage,
  contentOf,
  isOpen,
  type ShownChecks,
  type ShownConfiguration,
  settingsOfCheck,
} from '../../domain/configuration/configuration.ts';
import type { EngineRead } from '../../engine/contract/engine.ts';
import { visitChecks } from '../../engine/reads/check-slices.ts';
import { asStatusPageId, newUuid, sha256Hex } from '../../lib/ids.ts';
import { optional } from '../contract/argument.ts';
import * as kind from '../contract/argument-kinds.ts';
import { asIs, command } from '../contract/declaration.ts';
import { shownUser } from '../owner/users.ts';
import { checksPerPage } from '../secrets/limits.ts';
import { configuredMaintenance } from './configuration-maintenance.ts';
import { configuredStatusPage } from './configuration-status-pages.ts';

export const showCommands = {
  /** The projects and users; with `project` a page of its checks, with `status_page` one of those, which is null once it is gone. */
  'config show': command({
    effect: 'reads',
    role: 'owner',
    line: null,
    help: 'show the configuration in its normal form',
    takes: {
      secrets: optional(kind.flag(), null, 'with the secrets; otherwise with fingerprints of them'),
      project: optional(kind.project, null, 'a page of its checks'),
      after: optional(kind.number, null, '`next` of the page before'),
      status_page: optional(kind.text(), null, 'the id of one, instead'),
    },
    async run(
      { secrets = false, project, after = 0, status_page: statusPage },
      { context, nowMs },
    ): Promise<ShownConfiguration | ShownChecks | ConfiguredStatusPage | null> {
      const { read } = context.engine;
      if (statusPage !== undefined)
        return read.durably(() => {
          const page = read.statusPage(asStatusPageId(statusPage));
          return page && configuredStatusPage(page);
        });
      if (project) return pageOf(read, project, after, nowMs);
      const salt = secrets ? '' : newUuid();
      return read.durably(() => ({
        salt,
        projects: read.projects().map((one) => configuredProject(read, one, salt)),
        users: read.users().map((user) => shownUser(user, read)),
      }));
    },
    shown: asIs,
  }),
} as const;

async function pageOf(read: EngineRead, { id }: Project, after: number, nowMs: number): Promise<ShownChecks> {
  let found: readonly Check[] = [];
  await visitChecks(read, id, nowMs, (checks) => {
    if (found.length > checksPerPage) return;
    const known = new Set(found.map((check) => check.id));
    found = [...found, ...checks.filter((check) => check.createdAtMs > after && !known.has(check.id))];
  });
  const page = found.slice(0, checksPerPage);
  return {
    checks: page.map(configuredCheck),
    next: found.length > page.length ? (page.at(-1)?.createdAtMs ?? null) : null,
  };
}

function configuredProject(read: EngineRead, project: Project, salt: string): ConfiguredProject {
  const { id, name, plan, retention } = project;
  return {
    id,
    name,
    plan,
    ...(retention === undefined ? {} : { retention }),
    checkCount: read.checkCount(id),
    keys: read.keys(id).map((key) => configuredKey(key, salt)),
    integrations: read.channels(id).map((channel) => configuredIntegration(channel, salt)),
    statusPages: read.statusPages(id).map((page) => page.id),
    maintenance: configuredMaintenance(read, project),
  };
}

function configuredKey({ id, name = '', scope, hash, clear }: ApiKey, salt: string): ConfiguredKey {
  if (salt !== '') return { id, name, scope, hash: fingerprint(salt, hash) };
  return { id, name, scope, hash, ...(clear === null ? {} : { clear }) };
}

function configuredIntegration(channel: Channel, salt: string): ConfiguredIntegration {
  const { id, name, kind, value } = channel;
  const content = Object.entries(contentOf(kind, value));
  const isShown = (field: string): boolean => salt === '' || isOpen(kind, field);
  const shown = content.filter(([field]) => isShown(field));
  const hidden = content.filter(([field]) => !isShown(field));
  const settings = settingsOf(channel);
  const { disabled, disabledReason } = settings;
  return {
    id,
    etag: channelEtag(channel),
    name,
    kind,
    shown: Object.fromEntries(shown),
    hidden: Object.fromEntries(hidden.map(([field, text]) => [field, fingerprint(salt, text)])),
    ...integrationSettings(settings),
    disabled: disabled && disabledReason === '',
  };
}

function configuredCheck(check: Check): ConfiguredCheck {
  const { id, config } = check;
  return { id, etag: checkEtag(check), fields: settingsOfCheck(config), integrations: config.channels };
}

/** Enough to compare a secret with one that is known already. */
export function fingerprint(salt: string, text: string): string {
  return createHmac('sha256', salt).update(text).digest('hex');
}

/** The etag of a check's configuration, not of its events: a ping does not change it. */
export function checkEtag({ config }: Check): string {
  return sha256Hex(JSON.stringify([settingsOfCheck(config), config.channels])).slice(0, 32);
}

export function channelEtag(channel: Channel): string {
  const { name, kind, value } = channel;
  const settings = Object.values(integrationSettings(settingsOf(channel)));
  return sha256Hex(JSON.stringify([name, kind, value, ...settings])).slice(0, 32);
}
