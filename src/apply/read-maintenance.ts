/**
 * A maintenance window of a configuration file, whose values have passed the format's table: the rules about several values, and the
 * normal form. Not here: which checks and integrations there are (`plan-maintenance`).
 */
import { maintenanceSettings } from '../domain/configuration/maintenance-settings.ts';
import { maintenanceFieldNames, readMaintenance } from '../spec/maintenance-spec.ts';
import type { DesiredMaintenance } from './desired.ts';
import { type ItemContext, withSecrets } from './read-items.ts';
import { plainOf, type YamlNode } from './yaml-node.ts';

export function readMaintenanceItem(node: YamlNode, context: ItemContext): DesiredMaintenance | null {
  const { at } = node;
  const plain = plainOf(node) as Readonly<Record<string, unknown>>;
  const refuse = (text: string): null => {
    context.problems.push({ at, text });
    return null;
  };
  // A file means the same whenever it is read: nothing in it begins now.
  if ((plain.from === undefined) !== (plain.until === undefined)) return refuse('set both from and until');
  if ((plain.schedule === undefined) !== (plain.duration === undefined))
    return refuse('set both schedule and duration');
  const ics = typeof plain.ics === 'string' ? withSecrets(plain.ics, at, context) : undefined;
  if (ics === null) return null;
  const given = maintenanceFieldNames.filter(
    (name) => name !== 'checks' && name !== 'integrations' && plain[name] !== undefined,
  );
  const json = Object.fromEntries(given.map((name) => [name, name === 'ics' ? ics : plain[name]]));
  const read = readMaintenance(json, null, 0);
  if (!read.ok) return refuse(read.error);
  return {
    at,
    id: typeof plain.id === 'string' ? plain.id : null,
    settings: maintenanceSettings(read.content),
    checks: namesIn(plain.checks),
    integrations: namesIn(plain.integrations),
  };
}

function namesIn(given: unknown): readonly string[] {
  return Array.isArray(given) ? [...new Set(given.map(String))] : [];
}
