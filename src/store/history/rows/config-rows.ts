/**
 * Under which key a row of the history's `config` lies: its kind and the id that the row itself names.
 * Invariant: fold, restore and migration put a row under the same key.
 */
import type { RowKind, RowReaders } from '../../codec/rows.ts';
import { bytesOfUuid } from '../../codec/uuid.ts';
import { endedSessionKey } from './ended-session-rows.ts';
import { configKey } from './tables.ts';

export type ConfigRowKind = Exclude<RowKind, 'check' | 'delivery'>;

const installationKey = configKey('installation', Buffer.alloc(0));

export function configRowKey(kind: ConfigRowKind, row: Uint8Array, rows: RowReaders): Buffer {
  switch (kind) {
    case 'installation':
      return installationKey;
    case 'key':
      return configKey('key', Buffer.from(rows.key.read(row).id));
    case 'ended-session':
      return endedSessionKey(rows['ended-session'].read(row));
    default:
      return configKey(kind, bytesOfUuid(rows[kind].read(row).id));
  }
}
