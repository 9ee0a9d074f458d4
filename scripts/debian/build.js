// Makes the Debian package, knell_VERSION-1_ARCH.deb, out of what npm would publish and the packages that it needs:
//
//   npm ci && npm run build && node scripts/debian/build.js --out FOLDER
//
// Needs dpkg-deb and the npm registry. It is of this machine's processor, and runs on both versions of Node that Knell supports.
// Node itself is not in it: its security fixes come with its own packages, not with the next version of Knell.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { manualPage } from './manual-page.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));
const { values } = parseArgs({ options: { out: { type: 'string', default: '.' } } });

/** `process.versions.modules` of Node 20 and of Node 22. */
const abis = '115,127';
const { version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const debVersion = `${version.replace('-', '~')}-1`;
const arch = output('dpkg', '--print-architecture');
const builtAt = dateOfSources();

if (!existsSync(join(root, 'dist/main.js'))) {
  process.stderr.write('build.js: run "npm ci && npm run build" first\n');
  process.exit(2);
}
const stage = mkdtempSync(join(tmpdir(), 'knell-debian-'));
try {
  process.stdout.write(`${build()}\n`);
} finally {
  rmSync(stage, { recursive: true, force: true });
}

/** The path of the package. */
function build() {
  addProgram();
  addUnit();
  addDocuments();
  add('etc/knell/knell.env', readFileSync(join(here, 'knell.env')), 0o640);
  for (const name of ['postinst', 'prerm', 'postrm'])
    add(`DEBIAN/${name}`, readFileSync(join(here, name)), 0o755);
  add('DEBIAN/conffiles', '/etc/knell/knell.env\n');
  setModes();
  const files = installedFiles();
  add('DEBIAN/md5sums', files.map((path) => `${hashOf(path)}  ${path}\n`).join(''));
  add('DEBIAN/control', control(files));
  mkdirSync(values.out, { recursive: true });
  const file = join(values.out, `knell_${debVersion}_${arch}.deb`);
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(builtAt / 1000) };
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', stage, file], { env, stdio: 'ignore' });
  return file;
}

/** What npm would publish, and the packages that it needs, as the lock file has them. */
function addProgram() {
  const program = join(stage, 'usr/lib/knell');
  mkdirSync(program, { recursive: true });
  const packed = output('npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', stage);
  execFileSync('tar', ['-xzf', join(stage, packed), '-C', program, '--strip-components=1']);
  rmSync(join(stage, packed));
  for (const name of ['README.md', 'LICENSE']) rmSync(join(program, name));
  cpSync(join(root, 'package-lock.json'), join(program, 'package-lock.json'));
  const install = ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  execFileSync('npm', install, { cwd: program, stdio: ['ignore', 'ignore', 'inherit'] });
  rmSync(join(program, 'package-lock.json'));
  rmSync(join(program, 'node_modules/.bin'), { recursive: true, force: true });
  rmSync(join(program, 'node_modules/.package-lock.json'), { force: true });
  const prune = [join(root, 'scripts/prune-packages.js'), join(program, 'node_modules'), abis];
  execFileSync(process.execPath, prune, { stdio: 'inherit' });
  add('usr/bin/knell', readFileSync(join(here, 'knell.sh')), 0o755);
}

/** The unit of the manual, with the paths and the user of the package. */
function addUnit() {
  let unit = readFileSync(join(root, 'scripts/systemd/knell.service'), 'utf8').replace(/^(?:#.*\n)+/, '');
  const changes = [
    [
      'ExecStart=/usr/bin/node /opt/knell/dist/main.js serve',
      'ExecStart=/usr/bin/node /usr/lib/knell/dist/main.js serve',
    ],
    ['EnvironmentFile=-/etc/knell.env', 'EnvironmentFile=-/etc/knell/knell.env'],
    [
      '# A user of its own, made by systemd; the data directory is /var/lib/knell.\nDynamicUser=yes\n',
      'User=knell\nGroup=knell\n',
    ],
    ['Documentation=https://localhost:8000/docs/', 'Documentation=man:knell(1)'],
  ];
  for (const [from, to] of changes) {
    if (!unit.includes(from)) throw new Error(`scripts/systemd/knell.service has no "${from}"`);
    unit = unit.replace(from, to);
  }
  add('usr/lib/systemd/system/knell.service', unit);
}

function addDocuments() {
  const docs = 'usr/share/doc/knell';
  const date = new Date(builtAt).toUTCString().replace('GMT', '+0000');
  const change = `  * Knell ${version}: changelog.gz says what is new.\n`;
  add(
    `${docs}/changelog.Debian.gz`,
    gzip(`knell (${debVersion}) unstable; urgency=medium\n\n${change}\n -- ${maintainer()}  ${date}\n`),
  );
  add(`${docs}/changelog.gz`, gzip(readFileSync(join(root, 'src/docs/changelog.md'))));
  const license = readFileSync(join(root, 'LICENSE'), 'utf8');
  add(
    `${docs}/copyright`,
    readFileSync(join(here, 'copyright'), 'utf8').replace('LICENSE TEXT\n', indented(license)),
  );
  for (const name of ['knell-snapshots.service', 'knell-snapshots.timer'])
    add(`${docs}/examples/${name}`, readFileSync(join(root, 'scripts/systemd', name)));
  const help = (...words) => output(process.execPath, join(root, 'dist/main.js'), ...words, '--help');
  const page = manualPage({ version, date: new Date(builtAt), help: help(), serveHelp: help('serve') });
  add('usr/share/man/man1/knell.1.gz', gzip(page));
  add('usr/share/lintian/overrides/knell', readFileSync(join(here, 'lintian-overrides')));
}

function control(files) {
  const kilobytes = files.reduce((sum, path) => sum + Math.ceil(statSync(join(stage, path)).size / 1024), 0);
  return `Package: knell
Version: ${debVersion}
Section: net
Priority: optional
Architecture: ${arch}
Maintainer: ${maintainer()}
Installed-Size: ${kilobytes}
Depends: adduser, libc6 (>= ${oldestLibrary(files, 'GLIBC')}), libstdc++6, nodejs (>= 20.19), nodejs (<< 23), nodejs (>= 22.12) | nodejs (<< 21)
Recommends: systemd
Suggests: sqlite3
Description: ${description.split(':')[0].replace(/^An? /, '').replace(/\.$/, '')}
 Jobs ping Knell over HTTP or by mail; when a ping does not come in time, Knell
 sends an alert, over one of more than 30 integrations. It speaks the API of
 Healthchecks, and keeps its data in a directory of its own: there is no
 database server.
 .
 Node.js 20 (20.19 or later) or 22 (22.12 or later) is needed: Debian 13 has
 it, for Debian 12 and others NodeSource has packages of it.
`;
}

/** The version of a library that the binaries ask for. */
function oldestLibrary(files, name) {
  const asked = files
    .filter((path) => path.endsWith('.node'))
    .flatMap(
      (path) =>
        readFileSync(join(stage, path))
          .toString('latin1')
          .match(new RegExp(`\\b${name}_2\\.\\d+`, 'g')) ?? [],
    )
    .map((symbol) => Number(symbol.split('_2.')[1]));
  return `2.${Math.max(...asked)}`;
}

/** Who the package is by: with DEBFULLNAME and DEBEMAIL, as the tools of Debian have it. */
function maintainer() {
  const { DEBFULLNAME = 'Knell', DEBEMAIL = 'packages@localhost.localdomain' } = process.env;
  return `${DEBFULLNAME} <${DEBEMAIL}>`;
}

/** In ms since the epoch: of the commit, so that a second build of it is the same. */
function dateOfSources() {
  if (process.env.SOURCE_DATE_EPOCH) return Number(process.env.SOURCE_DATE_EPOCH) * 1000;
  try {
    return Number(output('git', '-C', root, 'log', '-1', '--format=%ct')) * 1000;
  } catch {
    return Math.floor(Date.now() / 1000) * 1000;
  }
}

function add(path, contents, mode = 0o644) {
  mkdirSync(join(stage, dirname(path)), { recursive: true });
  writeFileSync(join(stage, path), contents);
  chmodSync(join(stage, path), mode);
}

/** Packages of npm have files with all kinds of modes, programs that nothing here starts among them. */
function setModes() {
  for (const entry of readdirSync(stage, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) chmodSync(path, 0o755);
    else if (relative(stage, path).startsWith('usr/lib/knell/'))
      chmodSync(path, isScript(path) ? 0o755 : 0o644);
  }
  chmodSync(stage, 0o755);
}

function isScript(path) {
  return readFileSync(path).subarray(0, 2).toString() === '#!';
}

function installedFiles() {
  return readdirSync(stage, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(stage, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith('DEBIAN/'))
    .sort();
}

function hashOf(path) {
  return createHash('md5')
    .update(readFileSync(join(stage, path)))
    .digest('hex');
}

function gzip(contents) {
  return gzipSync(contents, { level: 9 });
}

function indented(text) {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? ' .\n' : ` ${line}\n`))
    .join('');
}

function output(program, ...args) {
  return execFileSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();
}
