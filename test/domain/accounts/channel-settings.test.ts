/** The table of an integration's settings: what other places need of a line, and what must not change once it was released. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  channelSettingFields,
  channelSettingNames,
  defaultChannelSettings,
  integrationSettings,
  ownerSettingNames,
  settingsByName,
  settingsGiven,
} from '../../../src/domain/accounts/channel-settings.ts';

test('are stored under names and with defaults that stay', () => {
  const released = {
    delay: 0,
    repeat: 0,
    late: false,
    disabled: false,
    disabled_reason: '',
    unverified: false,
    tz: '',
    last_error: '',
    announce_pending: false,
  };
  const stored = channelSettingNames.map((name) => {
    const { stored: key, default: whenAbsent } = channelSettingFields[name];
    return [key, whenAbsent] as const;
  });
  expect(Object.fromEntries(stored)).toMatchObject(released);
  const keys = stored.map(([key]) => key);
  expect(keys.filter((key) => key in released)).toEqual(Object.keys(released));
});

test('are each known by one JSON name, one option and one stored name', () => {
  const fields = ownerSettingNames.map((name) => channelSettingFields[name]);
  for (const names of [
    fields.map(({ json }) => json),
    fields.map(({ option }) => option.name),
    channelSettingNames.map((name) => channelSettingFields[name].stored),
  ])
    expect(new Set(names).size).toBe(names.length);
});

test('go out by JSON names and come back by those of the code', () => {
  const settings = { ...defaultChannelSettings, delayS: 60, late: true, timeZone: 'Europe/Riga' };
  const shown = integrationSettings(settings);
  expect(shown).toMatchObject({
    delay: 60,
    repeat: 0,
    late: true,
    disabled: false,
    time_zone: 'Europe/Riga',
  });
  expect({ ...defaultChannelSettings, ...settingsByName(shown) }).toEqual(settings);
  expect(settingsGiven({ delay: 60, late: true, time_zone: 'Europe/Riga', name: 'x' })).toEqual(shown);
});

test('are all explained in the manual', () => {
  const manual = readFileSync(new URL('../../../src/docs/integrations.md', import.meta.url), 'utf8');
  const missing = ownerSettingNames.filter(
    (name) => !manual.includes(`| \`--${channelSettingFields[name].option.name} `),
  );
  expect(missing).toEqual([]);
});
