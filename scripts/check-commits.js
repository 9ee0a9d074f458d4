// The subjects of the commits since this file came: `module: imperative sentence`, at most 60 characters, one prefix a module.
// Prints what is wrong, a line a commit; exit status 1 if something is. Merges are left out, and without git there is nothing
// to say. `npm run check` runs it; `node scripts/check-commits.js FOLDER` looks at another repository.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const subjectCharsMax = 60;
const own = 'scripts/check-commits.js';
const repository = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));

/** Besides the modules, the folders of `src`: what is beside them, and what goes through all of them. */
const others = ['src', 'config', 'test', 'bench', 'scripts', 'snapshots', 'readme', 'package', 'ci', 'git'];

/** Landed with a prefix that is none: history stays as it is. */
const landed = new Set([
  'd31ecc29',
  'a14beb13',
  'b820751a',
  'a31302be',
  '70d05f4a',
  '44d72e88',
  'dc3c6fa5',
  '5129d644',
  '6b089ec6',
  'f5d36b0c',
  '4e2ae074',
  '357620c9',
]);

function git(...args) {
  try {
    return execFileSync('git', args, {
      cwd: repository,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return '';
  }
}

const modules = readdirSync(join(repository, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const prefixes = new Set([...modules, ...others]);

/** What is wrong with a subject; null for nothing. */
function faultOf(subject) {
  const [, prefix, sentence] = /^([^:]+): (.+)$/.exec(subject) ?? [];
  if (prefix === undefined) return 'has no "module: " at its beginning';
  if (!prefixes.has(prefix))
    return `begins with ${prefix}, which is no module: ${[...prefixes].sort().join(', ')}`;
  if (subject.length > subjectCharsMax)
    return `has ${subject.length} characters, of at most ${subjectCharsMax}`;
  if (!/^[a-z]/.test(sentence)) return 'does not go on with a verb in lower case';
  if (
    /^(?:added|adds|fixed|fixes|changed|changes|made|makes|removed|removes|updated|updates)\b/.test(sentence)
  )
    return 'is no imperative sentence: say "fix", not "fixes" or "fixed"';
  return sentence.endsWith('.') ? 'ends with a full stop' : null;
}

const began = git('log', '--diff-filter=A', '--format=%H', '--', own).split('\n').at(-1);
const log = began ? git('log', '--no-merges', '--format=%H %s', `${began}..HEAD`) : '';
const faults = log.split('\n').flatMap((line) => {
  const [hash, ...words] = line.split(' ');
  const fault = line === '' || landed.has(hash.slice(0, 8)) ? null : faultOf(words.join(' '));
  return fault === null ? [] : [`${hash.slice(0, 8)} "${words.join(' ')}" ${fault}`];
});
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
