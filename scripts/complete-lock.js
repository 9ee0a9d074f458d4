// Names in package-lock.json the platform packages that npm left out of it: it writes down only those it could see where
// the lock was made (npm/cli issue 4828), and `npm ci` then refuses the whole lock. Run after changing dependencies:
// node scripts/complete-lock.js
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const { packages } = lock;

const platforms = /(darwin|win32|linux|android|freebsd|openbsd|netbsd|sunos|aix|openharmony)/;
const processors = /(arm64|x64|ia32|riscv64|loong64|ppc64|s390x|mips64el|wasm32|arm)(?=$|-)/;

/** What the lock says of a package of the same family, for what they have in common. */
function sibling(path, names) {
  return names
    .map((name) => packages[`node_modules/${name}`] ?? packages[`${path}/node_modules/${name}`])
    .find(Boolean);
}

let added = 0;
for (const [path, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
  for (const [name, range] of Object.entries(optionalDependencies)) {
    if (packages[`${path}/node_modules/${name}`] || packages[`node_modules/${name}`]) continue;
    const like = sibling(path, Object.keys(optionalDependencies));
    const [, os] = platforms.exec(name) ?? [];
    const [, cpu] = processors.exec(name) ?? [];
    packages[`node_modules/${name}`] = {
      version: range.replace(/^[\^~]/, ''),
      ...(cpu ? { cpu: [cpu] } : {}),
      ...(dev || like?.dev ? { dev: true } : {}),
      ...(name.endsWith('musl') ? { libc: ['musl'] } : {}),
      ...(like?.license ? { license: like.license } : {}),
      optional: true,
      ...(os ? { os: [os] } : {}),
      ...(like?.engines ? { engines: like.engines } : {}),
    };
    added++;
  }
}
lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} platform packages added`);
