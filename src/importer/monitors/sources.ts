/** The programs whose monitors `knell import` takes over, as one table: the command line and its tests go through it. */

import type { Problem } from '../../apply/yaml-node.ts';
import { parseYaml, plainOf } from '../../apply/yaml-node.ts';
import { KnellError } from '../../lib/errors.ts';
import type { ForeignConfiguration } from './draft.ts';
import { fromGatus } from './gatus.ts';
import { fromBetterStack, fromCronitor, fromOpsgenie, fromSnitches } from './hosted.ts';
import { fromUptimeKuma } from './uptime-kuma.ts';

export type { ForeignConfiguration, LeftOut } from './draft.ts';

interface Source {
  readonly translate: (file: unknown, project: string) => ForeignConfiguration;
}

const sources: Readonly<Record<string, Source>> = {
  'uptime-kuma': { translate: fromUptimeKuma },
  cronitor: { translate: fromCronitor },
  'dead-mans-snitch': { translate: fromSnitches },
  'better-stack': { translate: fromBetterStack },
  opsgenie: { translate: fromOpsgenie },
  gatus: { translate: fromGatus },
};

/** JSON is YAML, too. Throws a KnellError `usage` for what is none, and for what is not of `source`. */
export function foreignConfiguration(
  source: string,
  { name, text }: { readonly name: string; readonly text: string },
  project: string,
): ForeignConfiguration {
  const found = sources[source];
  if (!found) throw new KnellError('usage', `unknown program ${source}`);
  return found.translate(plainIn(name, text), project);
}

function plainIn(name: string, text: string): unknown {
  if (/^\s*[[{]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // Then it is YAML in brackets, or nothing.
    }
  }
  const problems: Problem[] = [];
  const [node, ...others] = parseYaml(name, text, problems);
  const [problem] = problems;
  if (problem)
    throw new KnellError('usage', `${name}:${problem.at.line}:${problem.at.column}: ${problem.text}`);
  if (!node || others.length > 0)
    throw new KnellError('usage', `${name} is not one document of JSON or YAML`);
  return plainOf(node);
}
