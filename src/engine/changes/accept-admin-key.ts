/**
 * Admin keys: created and revoked by the owner. They are part of the installation's record, which is written anew with each
 * change: there are few, and it survives snapshots as it is.
 * Invariant: a key is shown once, when it is created; what is kept is its hash.
 */

import { timingSafeEqual } from 'node:crypto';
import type { AuditFact } from '../../domain/accounts/audit.ts';
import type { AdminKey, Installation } from '../../domain/accounts/project.ts';
import { nameCharsMax } from '../../domain/limits.ts';
import { assert, KnellError } from '../../lib/errors.ts';
import { asKeyId, type KeyId, sha256Hex } from '../../lib/ids.ts';
import { adminKeyFact } from '../context/audit-facts.ts';
import type { EngineContext } from '../context/context.ts';
import type { NewAdminKey } from '../contract/engine.ts';
import { adminKeysMax } from '../contract/limits.ts';
import { appended } from './appended.ts';
import { allDurable } from './settled.ts';

const prefix = 'hca_';
const length = 32;

export async function createAdminKey(
  context: EngineContext,
  { name, shell }: Pick<AdminKey, 'name' | 'shell'>,
  nowMs: number,
): Promise<NewAdminKey> {
  const { adminKeys } = context.registry;
  const trimmed = name.trim();
  const clear = prefix + context.ids.randomBase62(length - prefix.length);
  const id = asKeyId(context.ids.newUuid());
  const before = adminKeys.find((key) => key.id === id);
  if (before) return allDurable(context).then(() => ({ key: before, clear }));
  if (trimmed === '' || [...trimmed].length > nameCharsMax)
    throw new KnellError('usage', `an admin key needs a name of at most ${nameCharsMax} characters`);
  if (adminKeys.some((key) => key.name === trimmed))
    throw new KnellError('conflict', `an admin key named ${trimmed} exists already`);
  if (adminKeys.length >= adminKeysMax)
    throw new KnellError(
      'conflict',
      `there are ${adminKeysMax} admin keys, the most there may be: revoke one first`,
    );
  const key: AdminKey = {
    id,
    name: trimmed,
    hash: sha256Hex(clear),
    shell,
    createdAtMs: nowMs,
  };
  await replaceKeys(context, [...adminKeys, key], adminKeyFact('created', key));
  return { key, clear };
}

export async function revokeAdminKey(context: EngineContext, id: KeyId): Promise<void> {
  const { adminKeys } = context.registry;
  const revoked = adminKeys.find((key) => key.id === id);
  if (!revoked) throw new KnellError('not-found', `no admin key has the id ${id}: see knell key list-admin`);
  const kept = adminKeys.filter((key) => key !== revoked);
  await replaceKeys(context, kept, adminKeyFact('deleted', revoked));
}

/** Compares all of them, each in the same time whatever it is: they are few. */
export function adminKeyOf(adminKeys: readonly AdminKey[], clear: string): AdminKey | null {
  const hash = Buffer.from(sha256Hex(clear));
  return adminKeys.find((key) => timingSafeEqual(Buffer.from(key.hash), hash)) ?? null;
}

/** If a batch of several changes fails, the newest is undone first. */
async function replaceKeys(
  context: EngineContext,
  adminKeys: readonly AdminKey[],
  fact: AuditFact,
): Promise<void> {
  const before = context.registry.installation;
  assert(before !== null, 'the installation is made before the listeners open');
  const installation: Installation = { ...before, adminKeys };
  context.registry.installation = installation;
  const undo = (): void => {
    context.registry.installation = before;
  };
  await appended(context, { type: 'put', kind: 'installation', fact: installation }, undo, fact);
}
