/** What the settings of the server are called on the page: each has a name, and each is found by what somebody knows of it. */
import { describe, expect, test } from 'vitest';
import { settings } from '../../src/config.ts';
import type { ServerSettingView } from '../../src/domain/views/page-view.ts';
import { settingGroups } from '../../src/web/integrations/setting-words.ts';

const views = Object.values(settings).map(
  ({ variable, help, fallback, secret }): ServerSettingView => ({
    ...{ variable, help, fallback, isSecret: secret, value: null },
    ...{ source: 'default', mayChange: false, isFixed: true, isOverridden: false },
  }),
);
const found = (text: string) => settingGroups(views, text).flatMap(({ settings: found }) => found);

describe('the names of settings', () => {
  test('each setting is there once, with a name of its own under a subject', () => {
    const all = found('');
    expect(all.map(({ setting }) => setting.variable).sort()).toEqual(
      views.map(({ variable }) => variable).sort(),
    );
    expect(new Set(all.map(({ name }) => name)).size).toBe(views.length);
    expect(all.filter(({ name }) => name.startsWith('KNELL_'))).toEqual([]);
    expect(settingGroups(views, '').map(({ title }) => title)).not.toContain('Others');
  });

  test.each([
    ['networks FOR integrations', ['KNELL_WEBHOOK_ALLOW']],
    ['knell_base', ['KNELL_BASE_URL']],
    ['bot token', ['KNELL_TELEGRAM_TOKEN']],
    ['  starttls ', ['KNELL_SMTP_TLS_CERT', 'KNELL_SMTP_TLS_KEY']],
    ['email from', ['KNELL_MAIL_URL', 'KNELL_MAIL_FROM']],
    ['nowhere', []],
  ])('%j finds %j', (text, variables) => {
    expect(found(text).map(({ setting }) => setting.variable)).toEqual(variables);
  });

  test('those whose name begins a word with it come first, and those that have it inside a word last', () => {
    expect(found('late').at(-1)?.name).toMatch(/^WhatsApp/);
    expect(found('zone')[0]?.name).toBe('Time zone of alerts');
    expect(found('token').map(({ name }) => name.includes('token'))).toEqual(
      found('token')
        .map(({ name }) => name.includes('token'))
        .sort((a, b) => Number(b) - Number(a)),
    );
  });

  test.each(Object.values(settings).map((one) => [one.variable, one] as const))(
    'the values in the help of %s are whole, and its examples are read',
    (_, { help, fallback, read }) => {
      const parts = help.split('`');
      expect(parts.length % 2).toBe(1);
      for (const [, example = ''] of help.matchAll(/such as `([^`]+)`/g)) {
        expect(() => read(example)).not.toThrow();
        expect(example).not.toBe(fallback);
      }
      // What looks like a value is not set as prose.
      for (const prose of parts.filter((_, at) => at % 2 === 0))
        expect(prose).not.toMatch(/\boff\b|\bon for\b|host:port|:\/\//);
    },
  );

  test('a setting of another version is shown by its variable', () => {
    const later = { ...views[0], variable: 'KNELL_LATER' } as ServerSettingView;
    const others = settingGroups([...views, later], '').at(-1);
    expect(others).toEqual({ title: 'Others', settings: [{ setting: later, name: 'KNELL_LATER' }] });
  });
});
