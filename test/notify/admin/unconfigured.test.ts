/** What each kind needs of the server: the table against the senders themselves. */
import { describe, expect, test } from 'vitest';
import { channelKinds, defaultChannelSettings } from '../../../src/domain/accounts/project.ts';
import { settingVariables } from '../../../src/integrations/contract/settings.ts';
import { missingVariables, unconfiguredLine } from '../../../src/notify/admin/unconfigured.ts';
import { createSenders, type SendableKind } from '../../../src/notify/channels/all.ts';
import type { NotifySettings } from '../../../src/notify/contract/settings.ts';
import { noticeOf, pushAuthorization, testSettings } from '../../support/engine/notices.ts';

const all: NotifySettings = { ...testSettings, mailUrl: 'smtp://mail.example.org', shellChannels: true };
const kinds = channelKinds.filter((kind): kind is SendableKind => kind !== 'group');
const signal = new AbortController().signal;

/** The variables that the sender itself complains of, each missing alone; down and up. */
async function complaints(kind: SendableKind): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const [name, variable] of Object.entries(settingVariables)) {
    for (const notificationKind of ['down', 'up'] as const) {
      const settings = { ...all, [name]: '' };
      const send = async () => ({ status: 200, headers: {}, body: '[]' });
      const senders = createSenders({
        send,
        settings,
        nowMs: Date.now,
        mail: null,
        shellMs: 1000,
        pushAuthorization,
      });
      const outcome = await senders[kind](noticeOf(kind, notificationKind), signal);
      if (outcome.kind === 'refused' && outcome.error.includes(variable)) found.add(variable);
    }
  }
  return [...found];
}

test.each(kinds.filter((kind) => kind !== 'shell'))('%s needs what its sender asks for', async (kind) => {
  const none = Object.fromEntries(Object.keys(settingVariables).map((name) => [name, '']));
  const expected = kind === 'email' ? [] : missingVariables(kind, { ...all, ...none });
  expect([...(await complaints(kind))].sort()).toEqual([...expected].sort());
  expect(missingVariables(kind, all)).toEqual([]);
});

test('email and shell need their switches', () => {
  const off = { ...all, mailUrl: '', shellChannels: false };
  expect(missingVariables('email', off)).toEqual(['KNELL_MAIL_URL']);
  expect(missingVariables('shell', off)).toEqual(['KNELL_SHELL_CHANNELS=on']);
});

describe('the line for the log', () => {
  const channelOf = (kind: SendableKind, name: string, disabled = false) => ({
    ...noticeOf(kind, 'down').channel,
    name,
    settings: { ...defaultChannelSettings, disabled },
  });
  const off = { ...all, mailUrl: '', telegramToken: '' };

  test('names the integrations that cannot send, and what is missing', () => {
    const channels = [
      channelOf('email', 'o\nps'),
      channelOf('telegram', ''),
      channelOf('ntfy', 'fine'),
      channelOf('email', 'disabled', true),
    ];
    expect(unconfiguredLine(channels, off)).toBe(
      '2 integrations cannot send: o ps (Email) needs KNELL_MAIL_URL; unnamed (Telegram) needs KNELL_TELEGRAM_TOKEN',
    );
  });

  test('is none when all can, and is not endless', () => {
    expect(unconfiguredLine([channelOf('ntfy', 'fine')], off)).toBeNull();
    const many = Array.from({ length: 1000 }, (_, n) => channelOf('email', `m${n}`));
    expect(unconfiguredLine(many, off)).toMatch(/^1000 integrations cannot send: m0 .*; …$/);
    expect(unconfiguredLine(many, off)?.length).toBeLessThan(1000);
  });
});
