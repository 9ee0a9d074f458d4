/** The manual's table of the kinds of integration. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { channelKinds, kinds } from '../../src/integrations/all.ts';
import { settingsNeeded } from '../../src/integrations/contract/settings.ts';

const manual = readFileSync(
  fileURLToPath(new URL('../../src/docs/integrations.md', import.meta.url)),
  'utf8',
);
const [, table = ''] =
  /\| kind \| value \| needs on the server \|\n\|[-|]+\n([\s\S]*?)\n\n/.exec(manual) ?? [];
const rows = new Map(
  table.split('\n').map((line) => {
    const [, name = '', , needs = ''] = line.replaceAll('\\|', '/').split('|');
    return [name.replaceAll(/[` ]/g, ''), needs] as const;
  }),
);

test('it has a row for each kind, in their order', () => {
  expect([...rows.keys()]).toEqual([...channelKinds].sort());
});

test.each(channelKinds)('what %s needs on the server is what it says', (kind) => {
  const text = (rows.get(kind) ?? '').replace(
    'as `call`',
    [...(kinds.call.needs ?? [])].map((name) => `\`${settingsNeeded[name]}\``).join(),
  );
  const named = [...text.matchAll(/`([^`]+)`/g)].map(([, variable]) => variable);
  expect(named.sort()).toEqual((kinds[kind].needs ?? []).map((name) => settingsNeeded[name]).sort());
});
