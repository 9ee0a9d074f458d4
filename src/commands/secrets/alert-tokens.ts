/**
 * The address of an alert's link: what it is about, packed, and its signature. Not here: what can be done by it
 * (`http/web/settings/alert-links`).
 * Invariant: it is no longer than what a chat shows in a line, and says neither the address of a ping nor a name.
 */
import type { Channel } from '../../domain/accounts/project.ts';
import { asBadgeId, asChannelId, type BadgeId, type ChannelId } from '../../lib/ids.ts';
import { same } from './same.ts';

/** The target of a link in an alert: an outage of a check, and the integration that was notified of it. */
export interface AlertRef {
  readonly badgeId: BadgeId;
  readonly channelId: ChannelId;
  /** When the check went down, or late. Epoch milliseconds. */
  readonly atMs: number;
}

export interface AlertTokens {
  /** The path of a link in an alert, for anyone who has the alert: no longer than what chats show. */
  alertLink(alert: Omit<AlertRef, 'channelId'>, channel: Channel): string;
  /** The target of `text`, the part behind `/alert/`, signed or not; null if it is no such link. */
  alertRefOf(text: string): AlertRef | null;
  /** False once the integration has another address. */
  isAlertLink(text: string, channel: Channel): boolean;
}

type Sign = (purpose: string, ...parts: readonly string[]) => string;

export function createAlertTokens(sign: Sign): AlertTokens {
  const signature = (packed: string, { value }: Channel): string =>
    sign('alert', packed, value).slice(0, signatureChars);
  return {
    alertLink({ badgeId, atMs }, channel) {
      const head = packed({ badgeId, channelId: channel.id, atMs });
      return `/alert/${head}${signature(head, channel)}`;
    },
    alertRefOf: (text) =>
      text.length === packedChars + signatureChars ? unpacked(text.slice(0, packedChars)) : null,
    isAlertLink: (text, channel) =>
      same(signature(text.slice(0, packedChars), channel), text.slice(packedChars)),
  };
}

/** 128 bits: nobody guesses them within the life of an outage. */
const signatureChars = 22;
const packedBytes = 16 + 16 + 6;
const packedChars = Math.ceil((packedBytes * 4) / 3);

function packed({ badgeId, channelId, atMs }: AlertRef): string {
  const bytes = Buffer.alloc(packedBytes);
  bytes.write(badgeId.replaceAll('-', ''), 0, 'hex');
  bytes.write(channelId.replaceAll('-', ''), 16, 'hex');
  bytes.writeUIntBE(Math.floor(atMs), 32, 6);
  return bytes.toString('base64url');
}

function unpacked(packed: string): AlertRef | null {
  const bytes = Buffer.from(packed, 'base64url');
  if (bytes.length !== packedBytes) return null;
  const uuidAt = (start: number): string =>
    bytes.toString('hex', start, start + 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return {
    badgeId: asBadgeId(uuidAt(0)),
    channelId: asChannelId(uuidAt(16)),
    atMs: bytes.readUIntBE(32, 6),
  };
}
