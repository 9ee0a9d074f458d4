/** What a search of the audit log finds: what an entry shows. */
import { expect, test } from 'vitest';
import {
  type AuditChange,
  type AuditEntry,
  actorOf,
  anyEntry,
  isWanted,
} from '../../../src/domain/accounts/audit.ts';
import { searchWords } from '../../../src/domain/words/search-words.ts';
import { asAuditId } from '../../../src/lib/ids.ts';

function entryWith(action: AuditEntry['action'], change: AuditChange): AuditEntry {
  return {
    ...{ id: asAuditId('00000000-0000-4000-8000-000000000001'), atMs: 1, actor: actorOf('member', 'ada') },
    ...{
      action,
      subject: 'check',
      subjectId: 'x',
      name: 'Alert digest',
      projectId: 'p',
      projectName: 'Shop',
    },
    ...{ fields: [change.field], changes: [change], detail: '' },
  };
}

const finds = (entry: AuditEntry, text: string): boolean =>
  isWanted({ ...anyEntry, words: searchWords(text, 100) }, entry);

test('of a list that was changed, what stayed in it is not found', () => {
  const added = entryWith('changed', { field: 'channels', before: 'Webhook', after: 'Team, Webhook' });
  expect(finds(added, 'team')).toBe(true);
  expect(finds(added, 'webhook')).toBe(false);
  const removed = entryWith('changed', { field: 'channels', before: 'Team, Webhook', after: 'Webhook' });
  expect(finds(removed, 'team')).toBe(true);
  expect(finds(removed, 'webhook')).toBe(false);
});

test('a list that is shown whole is found by all of it', () => {
  const created = entryWith('created', { field: 'channels', before: '', after: 'Team, Webhook' });
  const replaced = entryWith('changed', { field: 'channels', before: 'Webhook', after: 'Team' });
  const reordered = entryWith('changed', {
    field: 'channels',
    before: 'Team, Webhook',
    after: 'Webhook, Team',
  });
  for (const entry of [created, replaced, reordered]) {
    expect(finds(entry, 'team')).toBe(true);
    expect(finds(entry, 'webhook')).toBe(true);
  }
});
