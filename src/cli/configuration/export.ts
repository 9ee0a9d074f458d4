/** `knell export` prints a configuration with comments at its head. */

import { type Exported, exportDocument } from '../../apply/export.ts';
import { yamlText } from '../../apply/yaml-node.ts';
import type { Config } from '../../config.ts';
import type { Flags } from '../io/flags.ts';
import { sessionFor } from '../io/remote-admin.ts';
import { exitDone } from '../io/terminal.ts';
import { readConfiguration } from './configuration.ts';

export async function runExport(flags: Flags, config: () => Config): Promise<number> {
  const secrets = flags.secrets === true;
  const session = sessionFor(flags, config);
  try {
    const { actual, fingerprint } = await readConfiguration(session, secrets);
    const exported = exportDocument(actual, { secrets, fingerprint });
    process.stdout.write(`${headOf(exported, secrets)}\n${yamlText(exported.document)}`);
  } finally {
    await session.close();
  }
  return exitDone;
}

function headOf({ variables, unnamedKeys }: Exported, secrets: boolean): string {
  const lines = ['Configuration of Knell, by "knell export". Apply it with: knell apply -f FILE'];
  lines.push('The plan of a project is a name for its limits; nothing is sold.');
  if (secrets)
    lines.push('It holds secrets: anyone who reads it can ping the checks and use the integrations.');
  else if (variables.length > 0) {
    lines.push('Secrets are read from environment variables. Set them before you apply it:');
    lines.push(...variables.map((name) => `  ${name}`));
  }
  if (unnamedKeys > 0)
    lines.push(
      `Left out: ${unnamedKeys} keys without a name, which apply leaves alone. --secrets includes them.`,
    );
  return `${lines.map((line) => `# ${line}`).join('\n')}\n`;
}
