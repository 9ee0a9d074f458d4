/** Where a command of a shell ends, and its comment begins: as sh has it, or not clear. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { jobAndComment, shellState } from '../../../src/domain/crontab/shell-state.ts';

test.each([
  ['a.sh # nightly', 'a.sh'],
  ['a.sh\t#', 'a.sh'],
  ["(a; b) # it's", '(a; b)'],
  ['{ a; } # x', '{ a; }'],
  ['a;# x', 'a;'],
  [`a "it's" 'say "x"' # x`, `a "it's" 'say "x"'`],
  [`a $(date +%F "$(b)") \`c\` \${d#e} # x # y`, `a $(date +%F "$(b)") \`c\` \${d#e}`],
  [`a#b $# \${#c} "# d" '# e'`, `a#b $# \${#c} "# d" '# e'`],
  ['no comment "', 'no comment "'],
])('of %j the job is %j', (command, job) => {
  expect(jobAndComment(command)).toEqual({ job, comment: command.slice(job.length) });
});

test.each([
  "a 'b # c",
  'a "b # c',
  'a $(b # c)',
  'a `b # c`',
  '(a # b)',
  '{ a # b; }',
  "a $'it\\'s # b'",
  'a <<# b',
  'a\\ # b',
  'a \\\\ # b',
  'a \\;# b',
  '(a)# b',
  'a $(b)# c',
  'a ># b',
  `a "\${b:-"c # d"}"`,
])('of %j it is not clear', (command) => {
  expect(jobAndComment(command)).toBe(null);
});

const parts = ['a', ' ', '#', "'", '"', '\\', '$(', ')', '`', ';', '${x', '}', '(', '$', '{', '<', '&'];

/** A few thousand texts, the same each time. */
function* texts(): Generator<string> {
  let seed = 7;
  for (let n = 0; n < 3000; n++) {
    let text = 'echo a';
    for (let left = 9; left > 0; left--) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      text += parts[Math.floor(seed / 65_536) % parts.length];
    }
    yield text;
  }
}

test('the comment of any text is one to sh and to bash, and the job none', () => {
  const jobs = [...texts()].flatMap((text) => {
    const found = text.includes('#') ? jobAndComment(text) : null;
    return found ? [{ text, ...found }] : [];
  });
  expect(jobs.length).toBeGreaterThan(100);
  for (const shell of ['sh', 'bash']) {
    const ok = (text: string) => spawnSync(shell, ['-n', '-c', text]).status === 0;
    // Of what a shell refuses as it is, nothing is lost; an escape at the end goes on in what is added.
    for (const { text, job, comment } of jobs.slice(0, 50))
      if (ok(text) && !job.endsWith('\\')) {
        // A bracket too many would be seen behind the job, and is not in a comment.
        expect(ok(`${job} ;)${comment}`), text).toBe(false);
        expect(ok(`${text} )(`), text).toBe(comment.trim() !== '');
      }
  }
}, 60_000);

test('a command goes on while something in it is open', () => {
  for (const open of ["'", '"', '$(', '`', '(', ' { ', '${x', '\\'])
    expect([open, shellState(`a ${open}`).isOpen]).toEqual([open, true]);
  expect(shellState('f() {\n  a # (\n}').isOpen).toBe(false);
});
