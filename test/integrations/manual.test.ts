/** The manual's table of the kinds of integration. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { channelKinds, connectedKinds, connections, kinds } from '../../src/integrations/all.ts';
import { clientVariables, settingsNeeded } from '../../src/integrations/contract/settings.ts';

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

test("the manifest for Slack's app allows what the button asks for", () => {
  const [, manifest = ''] = /```yaml\n(display_information:[\s\S]*?)```/.exec(manual) ?? [];
  const { oauth_config: allowed } = parse(manifest);
  expect(allowed.scopes.bot.join(',')).toBe(connections.slack.scope);
  expect(allowed.redirect_urls).toEqual(['https://knell.example.org/connected']);
});

test.each(connectedKinds)('it says what the app at %s needs', (kind) => {
  const { id, secret } = connections[kind].client;
  for (const name of [id, secret]) expect(manual).toContain(`\`${clientVariables[name]}\``);
});
