/**
 * The page's files, read once and served from memory: compressed at build time, named by their content, so that a
 * browser may cache everything but the page itself without end.
 * Invariant: nothing but what lay in the directory at the start is ever served, and every answer forbids scripts,
 * styles and connections of any other origin.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { KnellError } from '../../lib/errors.ts';
import type { HttpReply, HttpRequest } from '../wire/message.ts';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** On every answer of the page's endpoints. */
export const guardHeaders: HttpReply['headers'] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'same-origin'],
  ['Content-Security-Policy', policy],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
];

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

interface Asset {
  readonly type: string;
  readonly plain: Buffer;
  readonly br: Buffer | null;
  readonly gzip: Buffer | null;
}

export interface Assets {
  /** The file at `path`, or null. */
  file(path: string, request: HttpRequest): HttpReply | null;
  /** A page of the manual, what its search reads, or the JSON Schema of configuration files; null for a path that is none. */
  manual(path: string, request: HttpRequest): HttpReply | null;
  /**
   * The page itself, whatever of its addresses was asked for, with word of what it will ask for first. `project` is the id of
   * the one that it shows where its address names none; null where that is not certain.
   */
  page(request: HttpRequest, project: string | null): HttpReply;
}

/** Files of the manual that are no page. */
const data: readonly string[] = ['search.json', 'configuration.schema.json'];

/** Reads the built page. Null where none was built. */
export function readAssets(directory: URL, basePath = ''): Assets | null {
  const files = readFiles(fileURLToPath(directory));
  const built = files.get('index.html');
  if (!built) return null;
  const page = atBase(built, basePath);
  return {
    file(path, request) {
      const asset = path.startsWith('/assets/') ? files.get(path.slice(1)) : undefined;
      return asset ? reply(asset, request, 'public, max-age=31536000, immutable') : null;
    },
    manual(path, request) {
      const name = path.slice('/docs/'.length) || 'index';
      const asset =
        files.get(`docs/${name}.html`) ?? (data.includes(name) ? files.get(`docs/${name}`) : undefined);
      return asset ? reply(asset, request, 'no-cache') : null;
    },
    page(request, project) {
      const { headers, ...rest } = reply(page, request, 'no-cache');
      return {
        ...rest,
        headers: [...headers, ...firstQuestions(request, project).map((path) => preloaded(basePath + path))],
      };
    },
  };
}

/** The page, which is built for no address: its files are named from the root, and its script is given the path of Knell. */
function atBase({ type, plain }: Asset, basePath: string): Asset {
  const html = plain
    .toString()
    .replaceAll('="./assets/', `="${basePath}/assets/`)
    .replace('<meta name="base-path" content=""', `<meta name="base-path" content="${basePath}"`);
  const bytes = Buffer.from(html);
  return { type, plain: bytes, br: brotliCompressSync(bytes), gzip: gzipSync(bytes) };
}

/** So the browser asks while it still loads the script, which on a slow network would ask two round trips later. */
function firstQuestions({ path, query }: HttpRequest, lone: string | null): readonly string[] {
  const named = /^\/project\/([\w-]+)\/checks\/?$/.exec(path)?.[1];
  const project = named ?? (path === '/' ? lone : null);
  const isPlain = /^[\w%=&.+-]*$/.test(query);
  const list = `/web/in/${project}/list${query === '' ? '' : `?${query}`}`;
  return ['/web/state', ...(project === null || !isPlain ? [] : [list])];
}

function preloaded(path: string): readonly [string, string] {
  return ['Link', `<${path}>; rel=preload; as=fetch; crossorigin`];
}

function readFiles(root: string): ReadonlyMap<string, Asset> {
  const bytes = new Map<string, Buffer>();
  for (const entry of listed(root)) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile()) bytes.set(relative(root, file).replaceAll('\\', '/'), readFileSync(file));
  }
  const assets = new Map<string, Asset>();
  for (const [path, plain] of bytes) {
    const type = contentTypes[extname(path)];
    if (type === undefined) continue;
    assets.set(path, {
      type,
      plain,
      br: bytes.get(`${path}.br`) ?? null,
      gzip: bytes.get(`${path}.gz`) ?? null,
    });
  }
  return assets;
}

function listed(root: string) {
  try {
    return readdirSync(root, { withFileTypes: true, recursive: true });
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return [];
    throw new KnellError('data-dir-unreadable', `cannot read the web page in ${root}`, { cause });
  }
}

function reply(asset: Asset, { headers }: HttpRequest, caching: string): HttpReply {
  const accepted = headers['accept-encoding'] ?? '';
  const encoding =
    asset.br && /\bbr\b/.test(accepted) ? 'br' : asset.gzip && /\bgzip\b/.test(accepted) ? 'gzip' : null;
  const body = (encoding === null ? null : asset[encoding]) ?? asset.plain;
  const encoded = encoding === null ? [] : [['Content-Encoding', encoding] as const];
  return {
    status: 200,
    headers: [
      ['Content-Type', asset.type],
      ['Cache-Control', caching],
      ['Vary', 'Accept-Encoding'],
      ...encoded,
      ...guardHeaders,
    ],
    body,
  };
}
