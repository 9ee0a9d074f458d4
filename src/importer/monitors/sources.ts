/** The programs whose monitors `knell import` takes over, as one table: the command line and its tests go through it. */

import { problemText } from '../../apply/read-desired.ts';
import { type Problem, parseYaml, plainOf } from '../../apply/yaml-node.ts';
import { KnellError } from '../../lib/errors.ts';
import type { ForeignConfiguration } from './draft.ts';
import { fromGatus } from './gatus.ts';
import { fromBetterStack, fromCronitor, fromOpsgenie, fromSnitches } from './hosted.ts';
import { fromUptimeKuma } from './uptime-kuma.ts';

export type { ForeignConfiguration, LeftOut } from './draft.ts';

const sources = {
  'uptime-kuma': fromUptimeKuma,
  cronitor: fromCronitor,
  'dead-mans-snitch': fromSnitches,
  'better-stack': fromBetterStack,
  opsgenie: fromOpsgenie,
  gatus: fromGatus,
} as const;

/** By its command. */
export type ForeignProgram = keyof typeof sources;

/** Throws a KnellError `usage` for what is neither JSON nor YAML, and for what is not of `program`. */
export function foreignConfiguration(
  program: ForeignProgram,
  { name, text }: { readonly name: string; readonly text: string },
  project: string,
): ForeignConfiguration {
  return sources[program](parsed(name, text), project);
}

/** What begins as JSON is none of the YAML that these programs write. As YAML, which is slower, it could take a minute. */
function parsed(name: string, text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return parsedYaml(name, text);
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own words quote the file, which has secrets.
    throw new KnellError('usage', `${name} begins as JSON, and is none: save it again, all of it`);
  }
}

function parsedYaml(name: string, text: string): unknown {
  const problems: Problem[] = [];
  const [node, ...others] = parseYaml(name, text, problems);
  const [problem] = problems;
  if (problem) throw new KnellError('usage', problemText(problem));
  if (!node || others.length > 0)
    throw new KnellError('usage', `${name} is not one document of JSON or YAML`);
  return plainOf(node);
}
