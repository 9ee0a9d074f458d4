/** What the button beside a block of the manual copies. Pure, without a browser; in the manual, bash says where a command ends. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { Marked, type Token } from 'marked';
import { expect, test } from 'vitest';
import { copiedOf } from '../../src/web/docs-copy.ts';

test.each([
  ['npm ci && npm start\n', 'npm ci && npm start'],
  ['$ knell check list\nNAME  STATUS\nbackup  up\n', 'knell check list'],
  [
    '$ curl -fsS localhost:8000/api/v3/checks/ \\\n    -d \'{"name":"x"}\'; echo\n{"name":"x"}\n$ show',
    'curl -fsS localhost:8000/api/v3/checks/ \\\n    -d \'{"name":"x"}\'; echo\nshow',
  ],
  ['$ show() { curl x |\n    grep y; }\n', 'show() { curl x |\n    grep y; }'],
  ["$ node -e 'on(`a`)\n    .on()'\ndone\n", "node -e 'on(`a`)\n    .on()'"],
  ['$ send "it\'s {\n  \\" $(date "+%F"\n)"\nsent', 'send "it\'s {\n  \\" $(date "+%F"\n)"'],
  ["$ f() {\n  date\n}\n$ f # it's late\n12:00", "f() {\n  date\n}\nf # it's late"],
  ["$ echo $# a#'b\nc'\nb", "echo $# a#'b\nc'"],
  ["$ echo \\'\n'", "echo \\'"],
  // A variable is no prompt.
  ['$HOME/bin/job\nsecond\n', '$HOME/bin/job\nsecond'],
])('of %j it is %j', (block, copied) => {
  expect(copiedOf(block)).toBe(copied);
});

const manual = new URL('../../src/docs/', import.meta.url);

/** The blocks of a page, also those in lists and quotes. */
function blocksOf(page: string): readonly string[] {
  const found: string[] = [];
  const marked = new Marked();
  marked.walkTokens(marked.lexer(readFileSync(new URL(page, manual), 'utf8')), (token: Token) => {
    if (token.type === 'code') found.push(token.text);
  });
  return found.filter((text) => text.split('\n').some((line) => line.startsWith('$ ')));
}

function isWhole(command: string): boolean {
  return !command.endsWith('\\') && spawnSync('bash', ['-n'], { input: `${command}\n` }).status === 0;
}

/** Its commands, each as far as bash needs it; all else is output. */
function commandsIn(block: string): string {
  const commands: string[] = [];
  let last: string | null = null;
  for (const line of block.split('\n')) {
    if (last !== null && !isWhole(last)) last += `\n${line}`;
    else {
      if (last !== null) commands.push(last);
      last = line.startsWith('$ ') ? line.slice(2) : null;
    }
  }
  return [...commands, ...(last === null ? [] : [last])].join('\n');
}

test.each(readdirSync(manual).filter((name) => name.endsWith('.md')))(
  'in %s, a button copies whole commands and no output',
  (page) => {
    for (const block of blocksOf(page)) {
      expect(copiedOf(block)).toBe(commandsIn(block));
      expect(isWhole(copiedOf(block)), block).toBe(true);
    }
  },
);
