// Deletes from installed packages what only compilers and debuggers read, and the binaries of other systems: 120 of 140 MB are
// uWebSockets.js for systems and versions of Node that do not run here. For the image and the Debian package, which are of one
// system: node scripts/prune-packages.js FOLDER [ABI,…]. The ABIs (process.versions.modules) of the versions of Node that are to
// run it; by default that of this one.
import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

const [folder, abis = process.versions.modules] = process.argv.slice(2);
const { platform, arch } = process;
const uws = abis.split(',').map((abi) => `uws_${platform}_${arch}_${abi}.node`);

/** What compilers, editors and authors read. */
const unneededFiles =
  /\.(?:map|[mc]?ts|flow|tsbuildinfo|html|[chS]|[ch]pp|cc|sh|sln|lib|bare)$|^(?:bin|inc-version)\.m?js$/;
/** Of a package's own folder: in others, such names may be parts of the program. */
const unneededFolders =
  /(?:^|node_modules\/)(?:@[^/]+\/)?[^/@]+\/(?:bin|tests?|docs|examples?|bench(?:mark)?s?|dependencies|tools)\//;

const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));
const found = files.filter((file) => uws.some((name) => file.endsWith(name))).length;
if (found !== uws.length) {
  process.stderr.write(`prune-packages: ${folder} has not all of ${uws.join(', ')}\n`);
  process.exit(1);
}
for (const file of files) if (isUnneeded(relative(folder, file))) rmSync(file);
removeEmpty(folder);

function isUnneeded(path) {
  const parts = path.split('/');
  const name = parts.at(-1);
  if (unneededFiles.test(name) || unneededFolders.test(path)) return true;
  if (parts.some((part) => part.startsWith('.'))) return true;
  if (!name.endsWith('.node')) return false;
  if (path.includes('uWebSockets.js/')) return !uws.includes(name);
  if (path.includes('/prebuilds/')) return !path.includes(`/prebuilds/${platform}-${arch}/`);
  // What runs on musl is not what uWebSockets.js runs on.
  return name.endsWith('.musl.node');
}

function removeEmpty(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true }))
    if (entry.isDirectory()) removeEmpty(join(directory, entry.name));
  if (readdirSync(directory).length === 0) rmdirSync(directory);
}
