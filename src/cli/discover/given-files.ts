/**
 * Reads jobs from files that were named: crontabs, or manifests as YAML or JSON.
 * Invariant: what a file is follows from what it says, not from its name; no manifest is read as a crontab.
 */
import { readFileSync } from 'node:fs';
import { type Problem, parseYaml, plainOf } from '../../apply/yaml-node.ts';
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
    if (bytes.includes(0)) throw new KnellError('usage', `${name} is no text`);
    const text = bytes.toString('utf8');
    if (text.trim() === '') throw new KnellError('usage', `${name === '-' ? 'stdin' : name} is empty`);
    return text;
  } catch (cause) {
    if (cause instanceof KnellError) throw cause;
    throw new KnellError('usage', `cannot read ${name} (${systemCode(cause)})`, { cause });
  }
}

function jobsIn(file: string, text: string, tz: string): Discovery {
  const documents = documentsIn(file, text);
  if (documents === null) return jobsOfCrontab({ file, text, user: '', tz, isSystemd: false });
  const reason =
    'It is no CronJob, no workflow of GitHub, and not the schedules of GitLab as its API lists them';
  return jobsOfManifests(file, documents) ?? { jobs: [], leftOut: [{ file, line: 0, text: '', reason }] };
}

/** Null for a crontab. JSON of a cluster is large, and the parser of YAML slow. Throws a KnellError `usage`. */
function documentsIn(file: string, text: string): readonly unknown[] | null {
  if (/^\s*[[{]/.test(text)) {
    try {
      return [JSON.parse(text)];
    } catch (cause) {
      throw new KnellError('usage', `${file} begins as JSON and is none: is it whole?`, { cause });
    }
  }
  if (!isYaml(text)) return null;
  const problems: Problem[] = [];
  const documents = parseYaml(file, text, problems).map(plainOf);
  const [first] = problems;
  if (first) throw new KnellError('usage', `${file}:${first.at.line}: ${first.text}`);
  return documents;
}

/** Whether the first line that says something is one of a map: no line of a crontab begins with a word and a colon. */
function isYaml(text: string): boolean {
  const [first = ''] = /^(?![ \t]*(?:#|\r?$)).*$/m.exec(text) ?? [];
  return /^(?:---|%YAML)(?:\s|$)|^(?:"[^"]*"|'[^']*'|[\w./-]+)[ \t]*:(?:\s|$)/.test(first);
}
