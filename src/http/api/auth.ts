/**
 * Decides whether a key opens an endpoint (specification, "Authentication"). `api` finds the key in a request.
 * Invariant: a key that does not open the endpoint is refused in the words for an unknown one, whatever else it opens.
 */
import { type Actor, actorOf } from '../../domain/accounts/audit.ts';
import { keyBeginning, type Project } from '../../domain/accounts/project.ts';
import type { EngineRead } from '../../engine/contract/engine.ts';
import type { KeyId } from '../../lib/ids.ts';

/** `open` needs no key, `read` takes read-only keys too, `write` takes only read-write keys. */
export type Access = 'open' | 'read' | 'write';

type KeyAuthorization =
  | {
      readonly ok: true;
      readonly project: Project;
      readonly readOnly: boolean;
      readonly by: string;
      readonly keyId: KeyId;
      readonly actor: Actor;
    }
  | { readonly ok: false; readonly error: 'missing api key' | 'wrong api key' };

/** Length of all keys except ping keys, and of those of Healthchecks. */
const apiKeyLength = 32;

export function authorizeKey(
  read: Pick<EngineRead, 'holderOf'>,
  key: string | null,
  access: Exclude<Access, 'open'>,
): KeyAuthorization {
  if (key === null || key.length !== apiKeyLength) return { ok: false, error: 'missing api key' };
  const holder = read.holderOf(key);
  if (holder === null) return { ok: false, error: 'wrong api key' };
  const opens = holder.scope === 'read-write' || (holder.scope === 'read-only' && access === 'read');
  if (!opens) return { ok: false, error: 'wrong api key' };
  return {
    ok: true,
    project: holder.project,
    readOnly: holder.scope === 'read-only',
    by: holder.name || 'API key',
    keyId: holder.keyId,
    actor: actorOf('api-key', holder.name || keyBeginning(key), holder.keyId),
  };
}
