// What the compilers leave to do: makes the built entry point executable, so that `npx knell` finds a program and not a
// text file; and compresses the page's files, so that the server has nothing to compress.
import { chmodSync, readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

for (const name of ['main.js', 'knell-run.mjs'])
  chmodSync(new URL(`../dist/${name}`, import.meta.url), 0o755);

const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
const page = fileURLToPath(new URL('../dist/web', import.meta.url));
const files = readdirSync(page, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && /\.(html|js|css|svg|json|webmanifest)$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name));
// All at once: zlib compresses on every core.
await Promise.all(files.map(compress));

async function compress(file) {
  const bytes = await readFile(file);
  await Promise.all([
    writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, best)),
    writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION })),
  ]);
}
