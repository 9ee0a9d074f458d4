/**
 * A flame graph, as SVG, of a profile that Node wrote: who called whom, as wide as it took. Hovering tells the share.
 * Invariant: what the process idled is left out, so that all widths are shares of work.
 */
import { escaped } from './plot.ts';

export interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly hitCount?: number | undefined;
  readonly children?: readonly number[] | undefined;
}

export interface Profile {
  readonly nodes: readonly ProfileNode[];
}

interface Frame {
  readonly name: string;
  hits: number;
  readonly callees: Map<string, Frame>;
}

const width = 1200;
const rowHeight = 17;
/** Narrower frames say nothing and make the file large. */
const narrowest = 0.5;
const charWidth = 6.6;

/** Samples in which the process did something. */
export function workOf({ nodes }: Profile): number {
  return nodes.reduce((sum, node) => sum + (isIdle(node) ? 0 : (node.hitCount ?? 0)), 0);
}

function isIdle({ callFrame }: ProfileNode): boolean {
  return callFrame.functionName === '(idle)';
}

export function drawFlame(profile: Profile, title: string): string {
  const root = tree(profile);
  const rows: string[] = [];
  const deepest = draw(root, { from: 0, depth: 0, total: root.hits }, rows);
  const height = (deepest + 3) * rowHeight;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="monospace" font-size="11">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="4" y="13">${escaped(title)}</text>`,
    ...rows,
    '</svg>\n',
  ].join('\n');
}

/** Callees of one name under one caller are one frame, wherever they were called from in it. */
function tree({ nodes }: Profile): Frame {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const add = (into: Frame, node: ProfileNode): number => {
    if (isIdle(node)) return 0;
    const name = nameOf(node);
    const frame = into.callees.get(name) ?? { name, hits: 0, callees: new Map() };
    into.callees.set(name, frame);
    let hits = node.hitCount ?? 0;
    for (const id of node.children ?? []) {
      const callee = byId.get(id);
      if (callee) hits += add(frame, callee);
    }
    frame.hits += hits;
    return hits;
  };
  const root: Frame = { name: 'all', hits: 0, callees: new Map() };
  const [top] = nodes;
  for (const id of top?.children ?? []) {
    const node = byId.get(id);
    if (node) root.hits += add(root, node);
  }
  return root;
}

/** Where a file lies on this machine is nobody's matter: only its last two parts are told. */
function nameOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
  const file = url.split('/').slice(-2).join('/');
  return `${functionName || '(anonymous)'}${file === '' ? '' : ` ${file}:${lineNumber + 1}`}`;
}

interface Place {
  readonly from: number;
  readonly depth: number;
  readonly total: number;
}

/** Returns the depth of the deepest frame that was drawn. */
function draw(frame: Frame, { from, depth, total }: Place, rows: string[]): number {
  const wide = (frame.hits / Math.max(1, total)) * width;
  if (wide < narrowest) return depth;
  const y = (depth + 1.5) * rowHeight;
  const share = ((frame.hits / Math.max(1, total)) * 100).toFixed(1);
  const text = frame.name.slice(0, Math.max(0, Math.floor((wide - 4) / charWidth)));
  rows.push(
    `<g><title>${escaped(frame.name)}: ${share} %</title><rect x="${from.toFixed(1)}" y="${y}" width="${wide.toFixed(1)}" height="${rowHeight - 1}" fill="${colourOf(frame.name)}"/><text x="${(from + 2).toFixed(1)}" y="${y + 12}">${escaped(text)}</text></g>`,
  );
  let [next, deepest] = [from, depth];
  for (const callee of [...frame.callees.values()].sort((a, b) => b.hits - a.hits)) {
    deepest = Math.max(deepest, draw(callee, { from: next, depth: depth + 1, total }, rows));
    next += (callee.hits / Math.max(1, total)) * width;
  }
  return deepest;
}

/** Warm, and the same for the same name. */
function colourOf(name: string): string {
  let sum = 0;
  for (const char of name) sum = (sum * 31 + char.charCodeAt(0)) % 997;
  return `hsl(${10 + (sum % 45)} 80% ${62 + (sum % 13)}%)`;
}
