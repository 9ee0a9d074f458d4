/**
 * A setting of the server that an owner sets at run time: part of the installation's record. `assemble/server-settings`
 * lists the settings and checks their values.
 */
import type { Installation, StoredSetting } from '../../domain/accounts/project.ts';
import { assert } from '../../lib/errors.ts';
import { settingFact } from '../context/audit-facts.ts';
import type { EngineContext } from '../context/context.ts';
import type { ServerSettingChange } from '../contract/engine.ts';
import { appended } from './appended.ts';

export async function setServerSetting(
  context: EngineContext,
  { variable, value, openDefault }: ServerSettingChange,
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
  const old = before.settings?.find((one) => one.variable === variable)?.value;
  const texts = openDefault === null ? null : { before: old ?? openDefault, after: value ?? openDefault };
  const fact = settingFact(value === null ? 'deleted' : 'changed', variable, texts);
  await appended(context, { type: 'put', kind: 'installation', fact: installation }, undo, fact);
}
