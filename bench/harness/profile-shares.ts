/**
 * Where the time of a main thread goes, out of its CPU profile: by the directory of Knell's source, and what is not Knell's. The
 * build puts a comment before each file that it joins; by those a line of it is found again in the source.
 * A native call without a name of its own counts for the script that makes it: a sync for the store, an answer for HTTP.
 * Invariant: the shares of one server add up to 1; time in which it had nothing to do is in none.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
}

/** The fields that are read here, of V8's format; times in microseconds, one for each sample. */
export interface SampledProfile {
  readonly nodes: readonly ProfileNode[];
  readonly samples?: readonly number[] | undefined;
  readonly timeDeltas?: readonly number[] | undefined;
}

export interface Share {
  readonly part: string;
  /** 0..1, of the time in which the thread was busy. */
  readonly share: number;
}

/** The servers of one kind together, such as all with the same journal. */
export interface ServerShares {
  readonly server: string;
  readonly shares: readonly Share[];
}

/** What V8 calls code that is none of a script. */
const native: Readonly<Record<string, string>> = {
  '(program)': 'kernel, event loop and HTTP parser',
  '(garbage collector)': 'garbage collection',
};
const called = 'native calls by name';
const idle = '(idle)';

/** Largest first. `of` several profiles: of all their samples together. */
export function sharesOf(profiles: readonly SampledProfile[]): readonly Share[] {
  const micros = new Map<string, number>();
  for (const { nodes, samples = [], timeDeltas = [] } of profiles) {
    const parts = new Map(nodes.map((node) => [node.id, partOf(node)]));
    samples.forEach((id, at) => {
      const part = parts.get(id) ?? idle;
      if (part !== idle) micros.set(part, (micros.get(part) ?? 0) + Math.max(0, timeDeltas[at] ?? 0));
    });
  }
  const busy = [...micros.values()].reduce((sum, one) => sum + one, 0);
  return [...micros].map(([part, time]) => ({ part, share: time / busy })).sort((a, b) => b.share - a.share);
}

/** Less than this for each of the servers goes into one row. */
const smallShare = 0.005;
const rest = 'the rest';

/** A row for each part, a cell for each server, as percent; the largest part first, what is small together at the end. */
export function shareRows(servers: readonly ServerShares[]): readonly (readonly string[])[] {
  const largest = new Map<string, number>();
  for (const { part, share } of servers.flatMap(({ shares }) => shares))
    largest.set(part, Math.max(share, largest.get(part) ?? 0));
  const parts = [...largest].filter(([, share]) => share >= smallShare).sort(([, a], [, b]) => b - a);
  const shown = new Set(parts.map(([part]) => part));
  const cell =
    (isIn: (part: string) => boolean) =>
    ({ shares }: ServerShares): string => {
      const sum = shares.filter(({ part }) => isIn(part)).reduce((all, { share }) => all + share, 0);
      return `${(100 * sum).toFixed(1)} %`;
    };
  return [
    ...parts.map(([part]) => [part, ...servers.map(cell((one) => one === part))]),
    [rest, ...servers.map(cell((one) => !shown.has(one)))],
  ];
}

function partOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
  if (functionName === idle || functionName === '(root)') return idle;
  if (url === '') return native[functionName] ?? called;
  if (url.startsWith('node:')) return 'Node';
  const file = url.startsWith('file:') ? fileURLToPath(url) : url;
  const source = sourceOf(file, lineNumber) || file;
  const [, name] = /\bnode_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? [];
  if (name !== undefined) return `${name}, with its native calls`;
  const [, directory] = /^src\/([\w-]+)/.exec(source) ?? [];
  return directory === undefined
    ? 'its own script, with native calls'
    : `src/${directory}, with native calls`;
}

interface Mark {
  readonly line: number;
  readonly source: string;
}

const marks = new Map<string, readonly Mark[]>();

/** The file that a line of a built one (counted from 0) comes from; empty where no comment says so. */
function sourceOf(file: string, line: number): string {
  let known = marks.get(file);
  if (!known) {
    known = marksOf(file);
    marks.set(file, known);
  }
  return known.findLast((mark) => mark.line <= line)?.source ?? '';
}

function marksOf(file: string): readonly Mark[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((text, line) => {
    const [, source] = /^\/\/ ((?:src|node_modules)\/\S+)$/.exec(text) ?? [];
    return source === undefined ? [] : [{ line, source }];
  });
}
