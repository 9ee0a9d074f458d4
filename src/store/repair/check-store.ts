/**
 * `knell store check`: whether a data directory can be read, all of it. Not the reading itself (`inspect`).
 * Invariant: the data directory's lock is held meanwhile; nothing is changed.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { KnellError } from '../../lib/errors.ts';
import { holdsData, openDataDir } from '../disk/data-dir.ts';
import { type EnvPart, refuseCutFile } from '../open/probe-env.ts';
import type { PartReport } from './inspect.ts';
import type { InspectLine } from './inspect-process.ts';

interface StoreReport {
  readonly isWhole: boolean;
  readonly parts: readonly PartReport[];
}

/** `threadsUrl`: the built `store/` folder, when that is not where this file is. */
export async function checkStore(dataDir: string, threadsUrl?: URL): Promise<StoreReport> {
  if (!holdsData(dataDir))
    throw new KnellError('not-found', `nothing is kept in ${dataDir} yet: is KNELL_DATA_DIR right?`);
  const lock = openDataDir(dataDir);
  try {
    const base = threadsUrl ?? new URL('../', import.meta.url);
    const parts = await inspectInProcess(dataDir, new URL('./repair/inspect-process.js', base));
    const cut = await cutFiles(dataDir, new URL('./open/probe-process.js', base));
    const all = parts.map((found) => ({ ...found, damage: [...cut(found.part), ...found.damage] }));
    return { isWhole: all.every(({ damage }) => damage.length === 0), parts: all };
  } finally {
    lock.release();
  }
}

/** Finds parts whose file is cut short, from its length: a sentence for each part whose reading would end by a signal. */
async function cutFiles(dataDir: string, probeUrl: URL): Promise<(part: EnvPart) => readonly string[]> {
  const found = new Map<EnvPart, string>();
  for (const part of ['history', 'journal'] as const) {
    try {
      await refuseCutFile(dataDir, part, probeUrl);
    } catch (error) {
      if (!(error instanceof KnellError)) throw error;
      found.set(part, error.message);
    }
  }
  return (part) => [found.get(part) ?? []].flat();
}

async function inspectInProcess(dataDir: string, url: URL): Promise<PartReport[]> {
  const child = spawn(process.execPath, [fileURLToPath(url), dataDir], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status, signal) => resolve(signal ?? `status ${status}`));
  });
  const parts: PartReport[] = [];
  let current: EnvPart = 'history';
  let isDone = false;
  for await (const text of createInterface({ input: child.stdout })) {
    const line = JSON.parse(text) as InspectLine;
    if ('begin' in line) current = line.begin;
    else if ('found' in line) parts.push(line.found);
    else isDone = true;
  }
  const how = await ended;
  if (!isDone && !parts.some(({ part }) => part === current))
    parts.push({ part: current, holds: 'unknown', damage: [`reading it ended the process (${how})`] });
  return parts;
}
