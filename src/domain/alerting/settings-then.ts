/**
 * What an integration and a check were set to at a moment in the past: as they are set now, less what the audit log says was changed
 * since. Not here: what follows from it (`who-was-notified`).
 * Invariants: pure. What the audit log does not say is not guessed.
 */
import type { ChannelId } from '../../lib/ids.ts';
import type { AuditEntry } from '../accounts/audit.ts';
import {
  auditedName,
  type ChannelSettings,
  channelSettingFields,
  channelSettingNames,
} from '../accounts/channel-settings.ts';
import { type Channel, settingsOf } from '../accounts/project.ts';
import type { Check } from '../check/check.ts';

/** What the audit log has of the project's integrations, and of the check, since that moment. */
export interface AuditSince {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** False where it does not go back to that moment, or holds too much to look through. */
  readonly isWhole: boolean;
}

export interface ChannelThen {
  readonly channel: Channel;
  /** False where something was changed of which the audit log does not have the value: it may hold a secret, or is too long. */
  readonly isKnown: boolean;
}

export function channelThen(channel: Channel, { entries, isWhole }: AuditSince): ChannelThen {
  let settings: ChannelSettings = settingsOf(channel);
  let isKnown = isWhole;
  for (const { subject, subjectId, action, fields, changes = [] } of entries) {
    if (subject !== 'integration' || subjectId !== channel.id || action !== 'changed') continue;
    const before = new Map(changes.map((one) => [one.field, one.before]));
    for (const name of channelSettingNames) {
      const field = auditedName(channelSettingFields[name]);
      const text = field === undefined ? undefined : before.get(field);
      if (text !== undefined) settings = { ...settings, [name]: valueIn(text, settings[name]) };
    }
    isKnown &&= fields.every((field) => harmless.has(field) || isWholeText(before.get(field)));
  }
  return { channel: { ...channel, settings }, isKnown };
}

/** A name decides nothing. */
const harmless: ReadonlySet<string> = new Set(['name']);

function valueIn(text: string, now: boolean | number | string): boolean | number | string {
  if (typeof now === 'boolean') return text === 'true';
  return typeof now === 'number' ? Number(text) : text;
}

/** The audit log has the beginning of a long one only. */
function isWholeText(text: string | undefined): boolean {
  return text !== undefined && !text.endsWith('…');
}

export interface CheckThen {
  readonly check: Check;
  readonly isKnown: boolean;
  /** The latest change that came after that moment and may have given the integration to the check, or taken it; null for none. */
  readonly reassigned: AuditEntry | null;
}

/** Its tags; and whether it had the integration as it has now. */
export function checkThen(check: Check, channelId: ChannelId, { entries, isWhole }: AuditSince): CheckThen {
  let { tags } = check.config;
  let isKnown = isWhole;
  let reassigned: AuditEntry | null = null;
  for (const entry of entries) {
    if (entry.subject === 'integration') {
      if (entry.subjectId !== channelId) continue;
      if (entry.action === 'assigned' || entry.action === 'unassigned') reassigned ??= entry;
    } else if (entry.subjectId === check.id && entry.action === 'changed') {
      if (entry.fields.includes('channels')) reassigned ??= entry;
      if (!entry.fields.includes('tags')) continue;
      const before = entry.changes?.find(({ field }) => field === 'tags')?.before;
      if (isWholeText(before)) tags = before ?? '';
      else isKnown = false;
    }
  }
  return { check: { ...check, config: { ...check.config, tags } }, isKnown, reassigned };
}
