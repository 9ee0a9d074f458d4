/**
 * Identifiers: branded strings, made without coordination (random), so that any partition can make them.
 * Invariant: a branded id has passed its `parse…` or came out of its `new…`; nothing else casts to one.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

export type CheckId = Branded<'check'>;
export type ProjectId = Branded<'project'>;
export type ChannelId = Branded<'channel'>;
export type KeyId = Branded<'key'>;
/** Id of a delivery; also the idempotency key that goes with every attempt of it. */
export type DeliveryId = Branded<'delivery'>;
/** The UUID in a check's badge address; says nothing about its ping address. */
export type BadgeId = Branded<'badge'>;
export type UserId = Branded<'user'>;
export type StatusPageId = Branded<'status-page'>;
export type IncidentId = Branded<'incident'>;
export type MaintenanceId = Branded<'maintenance'>;
export type RunId = Branded<'run'>;
/** Id of an entry of the audit log. */
export type AuditId = Branded<'audit'>;

/** Source of a regular expression, for addresses and schemas that have an id in them. */
export const uuidSource = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
export const uniqueKeySource = '[0-9A-Za-z]{40}';

const uuidPattern = new RegExp(`^${uuidSource}$`);

/** True for a lower-case UUID with hyphens, of any version: the one form that addresses carry. */
export function isUuid(text: string): boolean {
  return text.length === 36 && uuidPattern.test(text);
}

export function asCheckId(uuid: string): CheckId {
  return uuid as CheckId;
}

export function asProjectId(uuid: string): ProjectId {
  return uuid as ProjectId;
}

export function asChannelId(uuid: string): ChannelId {
  return uuid as ChannelId;
}

export function asKeyId(text: string): KeyId {
  return text as KeyId;
}

export function asDeliveryId(uuid: string): DeliveryId {
  return uuid as DeliveryId;
}

export function asBadgeId(uuid: string): BadgeId {
  return uuid as BadgeId;
}

export function asUserId(uuid: string): UserId {
  return uuid as UserId;
}

export function asStatusPageId(uuid: string): StatusPageId {
  return uuid as StatusPageId;
}

export function asIncidentId(uuid: string): IncidentId {
  return uuid as IncidentId;
}

export function asMaintenanceId(uuid: string): MaintenanceId {
  return uuid as MaintenanceId;
}

export function asAuditId(uuid: string): AuditId {
  return uuid as AuditId;
}

export function asRunId(uuid: string): RunId {
  return uuid as RunId;
}

/** A run id: a UUID of any version, in either case; null when the text is none. */
export function parseRunId(text: string): RunId | null {
  const lower = text.toLowerCase();
  return isUuid(lower) ? asRunId(lower) : null;
}

/** Source of new ids and secrets, passed as an argument: a simulation passes one that follows from its seed. */
export interface Ids {
  newUuid(): string;
  /** `length` characters of 0-9A-Za-z. */
  randomBase62(length: number): string;
  /** `bytes` bytes in hex. */
  randomHex(bytes: number): string;
}

/** Ids from the system's source of randomness. */
export const systemIds: Ids = { newUuid, randomBase62, randomHex };

/**
 * Ids and secrets that follow from `key`, a random UUID that is as secret as they are: a request that is carried out a second time
 * under its key names the same things again. Its 122 bits are all the randomness that they have.
 */
export function idsOf(key: string): Ids {
  let drawn = 0;
  const digest = (): Buffer => createHash('sha256').update(`${key} ${drawn++}`).digest();
  return {
    newUuid() {
      const bytes = digest();
      bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
      bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
      return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    },
    randomBase62: (length) => base62Of(length, digest),
    randomHex(bytes) {
      let text = '';
      while (text.length < 2 * bytes) text += digest().toString('hex');
      return text.slice(0, 2 * bytes);
    },
  };
}

export function newUuid(): string {
  return randomUUID();
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `length` random characters of 0-9A-Za-z. */
export function randomBase62(length: number): string {
  return base62Of(length, randomBytes);
}

/** Draws without modulo bias: bytes over 247 are drawn again. */
function base62Of(length: number, draw: (bytes: number) => Uint8Array): string {
  let text = '';
  while (text.length < length) {
    for (const byte of draw(length - text.length)) {
      if (byte < 248 && text.length < length) text += base62[byte % 62];
    }
  }
  return text;
}

/** `bytes` random bytes in hex. */
export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

/** SHA-256 in hex: what is kept of an API key. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * The identifier that read-only keys see: SHA-1 over the first 16 hex digits of the UUID as text, in 40 hex
 * digits, as the clients know it (Healthchecks, `Check.unique_key`).
 */
export function uniqueKeyOf(id: CheckId): string {
  const half = id.replaceAll('-', '').slice(0, 16);
  return createHash('sha1').update(half).digest('hex');
}
