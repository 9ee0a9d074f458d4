/** What the button beside a block of the manual copies. Pure, without a browser. */
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
  // A variable is no prompt.
  ['$HOME/bin/job\nsecond\n', '$HOME/bin/job\nsecond'],
])('of %j it is %j', (block, copied) => {
  expect(copiedOf(block)).toBe(copied);
});
