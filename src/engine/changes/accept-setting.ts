/**
 * A setting of the server that an owner sets at run time: part of the installation's record. Not here: which settings there are, and
 * what their values may be (`server-settings`).
 */
import type { Installation, StoredSetting } from '../../domain/accounts/project.ts';
import { assert } from '../../lib/errors.ts';
import { auditFact } from '../context/audit-facts.ts';
import type { EngineContext } from '../context/context.ts';
import { appended } from './accept-admin.ts';

export async function setServerSetting(
  context: EngineContext,
  variable: string,
  value: string | null,
): Promise<void> {
  const before = context.registry.installation;
  assert(before !== null, 'the installation is made before the listeners open');
  const others = (before.settings ?? []).filter((one) => one.variable !== variable);
  const settings: readonly StoredSetting[] = value === null ? others : [...others, { variable, value }];
  const installation: Installation = { ...before, settings };
  context.registry.installation = installation;
  const undo = (): void => {
    context.registry.installation = before;
  };
  // Its value may be a secret.
  const fact = auditFact(value === null ? 'deleted' : 'changed', 'setting', { name: variable });
  await appended(context, { type: 'put', kind: 'installation', fact: installation }, undo, fact);
}
