/**
 * YAML as a plain tree in which every part knows where it came from. The one file that touches `yaml`.
 * Not here: what a configuration may say (`format`, `read-desired`).
 */

import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
  stringify,
  visit,
} from 'yaml';
import { yamlDepthMax, yamlNodesMax } from './limits.ts';

export interface Position {
  /** Name as the user gave it; `-` for stdin. */
  readonly file: string;
  /** Number of the line, from 1 on. */
  readonly line: number;
  readonly column: number;
}

export interface Problem {
  readonly at: Position;
  readonly text: string;
}

export type YamlNode =
  | { readonly kind: 'scalar'; readonly at: Position; readonly value: unknown }
  | { readonly kind: 'list'; readonly at: Position; readonly items: readonly YamlNode[] }
  | { readonly kind: 'map'; readonly at: Position; readonly entries: readonly YamlEntry[] };

export interface YamlEntry {
  readonly name: string;
  readonly at: Position;
  readonly value: YamlNode;
}

type YamlMap = Extract<YamlNode, { kind: 'map' }>;

export function entryOf(map: YamlMap, name: string): YamlNode | null {
  return map.entries.find((entry) => entry.name === name)?.value ?? null;
}

/** The value without positions. */
export function plainOf(node: YamlNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(plainOf);
  return Object.fromEntries(node.entries.map(({ name, value }) => [name, plainOf(value)]));
}

/** The documents of one file; those that are empty are left out. */
export function parseYaml(file: string, text: string, problems: Problem[]): readonly YamlNode[] {
  const lines = new LineCounter();
  const place = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const parsed = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, version: '1.2' });
  const documents = Array.isArray(parsed) ? parsed : [];
  const found: YamlNode[] = [];
  for (const document of documents) {
    for (const { message, pos } of document.errors) problems.push({ at: place(pos[0]), text: message });
    if (document.errors.length > 0 || document.contents === null) continue;
    const targets = aliasTargets(document);
    const builder = new Builder(place, problems, (node) => (isAlias(node) ? targets.get(node) : node));
    const node = builder.nodeOf(document.contents, 0);
    if (node.kind !== 'scalar' || node.value !== null) found.push(node);
  }
  return found;
}

/** All at once: the library looks through the whole document for each alias. */
function aliasTargets(document: Document.Parsed): ReadonlyMap<Alias, Node> {
  const anchored = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Node(_key, node) {
      const target = isAlias(node) ? anchored.get(node.source) : undefined;
      if (isAlias(node) && target) targets.set(node, target);
      else if (!isAlias(node) && node.anchor !== undefined) anchored.set(node.anchor, node);
    },
  });
  return targets;
}

class Builder {
  #left = yamlNodesMax;
  readonly #place: (offset: number) => Position;
  readonly #problems: Problem[];
  readonly #resolve: (node: Node) => Node | undefined;

  constructor(
    place: (offset: number) => Position,
    problems: Problem[],
    resolve: (node: Node) => Node | undefined,
  ) {
    this.#place = place;
    this.#problems = problems;
    this.#resolve = resolve;
  }

  nodeOf(node: unknown, depth: number): YamlNode {
    const source = node as Node | null;
    const at = this.#place(source?.range?.[0] ?? 0);
    const target = source === null ? undefined : this.#resolve(source);
    if (this.#left-- <= 0 || depth > yamlDepthMax) {
      if (this.#left === -1 || depth > yamlDepthMax)
        this.#problems.push({ at, text: 'the file is nested too deeply, or its aliases are too many' });
      return { kind: 'scalar', at, value: null };
    }
    if (isMap(target)) {
      const entries = target.items.map(({ key, value }): YamlEntry => {
        const keyAt = this.#place((key as Node | null)?.range?.[0] ?? 0);
        const name = isScalar(key) ? String(key.value) : '';
        return { name, at: keyAt, value: value === null ? emptyAt(keyAt) : this.nodeOf(value, depth + 1) };
      });
      return { kind: 'map', at, entries };
    }
    if (isSeq(target))
      return { kind: 'list', at, items: target.items.map((item) => this.nodeOf(item, depth + 1)) };
    return { kind: 'scalar', at, value: isScalar(target) ? target.value : null };
  }
}

function emptyAt(at: Position): YamlNode {
  return { kind: 'scalar', at, value: null };
}

/** Long lines stay whole: a URL that is folded is read differently by some. */
export function yamlText(value: unknown): string {
  return stringify(value, { lineWidth: 0 });
}
