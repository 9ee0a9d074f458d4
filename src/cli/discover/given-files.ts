/**
 * Reads jobs from files that were named: crontabs, or manifests as YAML or JSON.
 * Invariant: what a file is follows from what it says, not from its name.
 */
import { readFileSync } from 'node:fs';
import { parseYaml, plainOf } from '../../apply/yaml-node.ts';
import { jobsOfCrontab } from '../../domain/discover/crontab-jobs.ts';
import type { Discovery } from '../../domain/discover/found-job.ts';
import { jobsOfManifests } from '../../domain/discover/manifests.ts';
import { KnellError, systemCode } from '../../lib/errors.ts';
import { configurationBytesMax } from '../io/limits.ts';
import type { Machine } from './read-machine.ts';

/** `tz`: of the crontabs among them. Throws a KnellError `usage`. */
export function readGivenFiles(names: readonly string[], tz: string): Machine {
  const texts = new Map<string, string>();
  const found = names.map((name) => {
    const text = textOf(name);
    texts.set(name, text);
    return jobsIn(name, text, tz);
  });
  return {
    jobs: found.flatMap(({ jobs }) => jobs),
    leftOut: found.flatMap(({ leftOut }) => leftOut),
    texts,
  };
}

function textOf(name: string): string {
  try {
    const bytes = readFileSync(name === '-' ? 0 : name);
    if (bytes.length > configurationBytesMax) throw new KnellError('usage', `${name} is larger than 20 MB`);
    return bytes.toString('utf8');
  } catch (cause) {
    if (cause instanceof KnellError) throw cause;
    throw new KnellError('usage', `cannot read ${name} (${systemCode(cause)})`, { cause });
  }
}

function jobsIn(file: string, text: string, tz: string): Discovery {
  const documents = documentsIn(text);
  const manifests = documents === null ? null : jobsOfManifests(file, documents);
  return manifests ?? jobsOfCrontab({ file, text, user: '', tz, isSystemd: false });
}

/** Null for what is neither JSON nor YAML. JSON of a cluster is large, and the parser of YAML slow. */
function documentsIn(text: string): readonly unknown[] | null {
  if (/^\s*[[{]/.test(text)) {
    try {
      return [JSON.parse(text)];
    } catch {
      return null;
    }
  }
  // A crontab has no map, and the parser of YAML would take long to say so.
  if (!/^(?:apiVersion|kind|on|"on"|'on'|name|metadata|spec|jobs)[ \t]*:/m.test(text)) return null;
  return parseYaml('-', text, []).map(plainOf);
}
