// What the compilers leave to do: makes the built entry point executable, so that `npx knell` finds a program and not a
// text file; and compresses the page's files, so that the server has nothing to compress.
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

for (const name of ['main.js', 'knell-run.mjs'])
  chmodSync(new URL(`../dist/${name}`, import.meta.url), 0o755);

const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
const page = fileURLToPath(new URL('../dist/web', import.meta.url));
for (const entry of readdirSync(page, { withFileTypes: true, recursive: true })) {
  if (!entry.isFile() || !/\.(html|js|css|svg|json|webmanifest)$/.test(entry.name)) continue;
  const file = join(entry.parentPath, entry.name);
  const bytes = readFileSync(file);
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, best));
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
}
