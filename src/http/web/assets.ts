/**
 * The page's files, read once and served from memory. They are compressed at build time and named by their content, so a
 * browser may cache everything but the page itself without end.
 * Invariant: only files that were in the directory at the start are served, and every answer forbids scripts, styles and
 * connections of any other origin.
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

/** Headers of every answer of the page's endpoints. */
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
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

interface Asset {
  readonly type: string;
  readonly plain: Buffer;
  readonly br: Buffer | null;
  readonly gzip: Buffer | null;
}

export interface Assets {
  /** Returns the file at `path`, or null. */
  file(path: string, request: HttpRequest): HttpReply | null;
  /**
   * Returns a page of the manual, the data of its search, or the JSON Schema of configuration files; null for any other path.
   */
  manual(path: string, request: HttpRequest): HttpReply | null;
  /**
   * Returns the page itself, which is the same at all its addresses, with a list of the requests that it will send first.
   * `project` is the id of the project that it shows if its address names none; null if that is not certain.
   */
  page(request: HttpRequest, project: string | null): HttpReply;
}

/** Files whose names stay: the service worker, which belongs at the root of what it serves, and the page as an app. */
const named: readonly string[] = ['sw.js', 'manifest.webmanifest'];
const icon = /^(?:icon|badge)-[a-z\d-]+\.png$/;

/** Files of the manual that are not pages. */
const data: readonly string[] = ['search.json', 'configuration.schema.json'];

/** Reads the built page. Returns null if none was built. */
export function readAssets(directory: URL, basePath = ''): Assets | null {
  const files = readFiles(fileURLToPath(directory));
  const built = files.get('index.html');
  if (!built) return null;
  const page = atBase(built, basePath);
  return {
    file(path, request) {
      const name = path.slice(1);
      const asset = files.get(name);
      if (!asset) return null;
      if (name.startsWith('assets/')) return reply(asset, request, 'public, max-age=31536000, immutable');
      if (named.includes(name)) return reply(asset, request, 'no-cache');
      return icon.test(name) ? reply(asset, request, 'public, max-age=86400') : null;
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

/**
 * Adapts the page to the path of Knell: it is built without one, so its files are named from the root, and its script gets the
 * path.
 */
function atBase({ type, plain }: Asset, basePath: string): Asset {
  const html = plain
    .toString()
    .replaceAll('="./', `="${basePath}/`)
    .replace('<meta name="base-path" content=""', `<meta name="base-path" content="${basePath}"`);
  const bytes = Buffer.from(html);
  return { type, plain: bytes, br: brotliCompressSync(bytes), gzip: gzipSync(bytes) };
}

/**
 * Requests that the browser sends while it still loads the script, which on a slow network would send them two round trips
 * later.
 */
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
