/** Settings that owners change at run time: what wins, what may change, and what a value must be. */
import { describe, expect, it } from 'vitest';
import { ServerSettings } from '../../src/assemble/server-settings.ts';
import { readConfig } from '../../src/config.ts';
import type { StoredSetting } from '../../src/domain/accounts/project.ts';

function withStored(stored: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) {
  const { config, given } = readConfig(env, {});
  let kept: readonly StoredSetting[] = Object.entries(stored).map(([variable, value]) => ({
    variable,
    value,
  }));
  const settings = new ServerSettings({ config, given, stored: () => kept });
  return {
    settings,
    store: (variable: string, value: string) => {
      kept = [...kept, { variable, value }];
    },
    view: (variable: string) => settings.views().find((one) => one.variable === variable),
  };
}

describe('a setting', () => {
  it('is what was stored where the environment says nothing, and the default where nothing was', () => {
    const { settings, store, view } = withStored({ KNELL_BADGE_LABEL: 'Ours' });
    expect([settings.current.badgeLabel, settings.current.mailUrl]).toEqual(['Ours', '']);
    expect(view('KNELL_BADGE_LABEL')).toMatchObject({ source: 'page', value: 'Ours', mayChange: true });
    store('KNELL_MAIL_URL', 'smtp://user:hidden-one@mail.example.org:587');
    expect(settings.current.mailUrl).toContain('mail.example.org');
    expect(view('KNELL_MAIL_URL')).toMatchObject({ source: 'page', value: null, isSecret: true });
    expect(JSON.stringify(settings.views())).not.toContain('hidden-one');
  });

  it('says what holds while nothing is set, also where that follows from the machine or another setting', () => {
    const { view } = withStored({ KNELL_TIME_ZONE: 'Europe/Riga' }, { KNELL_HTTP: '127.0.0.1:9000' });
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    expect(view('KNELL_TIME_ZONE')).toMatchObject({ value: 'Europe/Riga', fallback: timeZone });
    expect(view('KNELL_BASE_URL')).toMatchObject({ value: '', fallback: 'http://localhost:9000' });
    expect(view('KNELL_NODE')).toMatchObject({ value: '', fallback: expect.stringMatching(/^[a-z0-9-]+$/) });
    expect(view('KNELL_METRICS')).toMatchObject({ value: null, fallback: 'off', isFixed: true });
    expect(view('KNELL_WEBHOOK_ALLOW')).toMatchObject({ value: '', fallback: '' });
  });

  it('is what the environment says, whatever was stored, also where that is empty', () => {
    const env = { KNELL_BADGE_LABEL: 'Theirs', KNELL_TELEGRAM_TOKEN: '' };
    const { settings, view } = withStored({ KNELL_BADGE_LABEL: 'Ours', KNELL_TELEGRAM_TOKEN: 'secret' }, env);
    expect([settings.current.badgeLabel, settings.current.telegramToken]).toEqual(['Theirs', '']);
    const overridden = { source: 'environment', mayChange: false, isOverridden: true };
    expect(view('KNELL_BADGE_LABEL')).toMatchObject({ ...overridden, value: 'Theirs', isFixed: false });
    expect(view('KNELL_TELEGRAM_TOKEN')).toMatchObject({ ...overridden, value: null });
  });

  it('that was stored by another version and cannot be read counts as not set', () => {
    const { settings } = withStored({ KNELL_TIME_ZONE: 'Mars/Olympus', KNELL_UNHEARD_OF: 'x' });
    expect(settings.current.timeZone).toBe(readConfig({}, {}).config.timeZone);
  });

  it('changes the list of allowed networks under a client that has it already', () => {
    const { settings, store } = withStored({});
    const { webhookAllow } = settings.current;
    expect(webhookAllow.contains('10.1.2.3')).toBe(false);
    store('KNELL_WEBHOOK_ALLOW', '10.0.0.0/8');
    expect(webhookAllow.contains('10.1.2.3')).toBe(true);
  });

  it.each([
    ['KNELL_SHELL_CHANNELS', 'on', 'usage', /is not set here: set it in the environment/],
    ['KNELL_HTTP', '127.0.0.1:1', 'usage', /is not set here/],
    ['KNELL_NO_SUCH', 'x', 'usage', /is not set here/],
    ['KNELL_TIME_ZONE', 'Mars/Olympus', 'usage', /^KNELL_TIME_ZONE: "Mars\/Olympus" /],
    ['KNELL_WEBHOOK_ALLOW', 'everything', 'usage', /^KNELL_WEBHOOK_ALLOW: "everything" /],
    ['KNELL_MAIL_URL', 'http://user:hidden-one@host', 'usage', /^KNELL_MAIL_URL: its value (?!.*hidden-one)/],
    ['KNELL_PUSHOVER_TOKEN', 'long'.repeat(501), 'usage', /at most 2000 characters/],
    [
      'KNELL_TELEGRAM_TOKEN',
      '123:hidden',
      'usage',
      /^KNELL_TELEGRAM_TOKEN: its value is not a number, a colon/,
    ],
    ['KNELL_TELEGRAM_TOKEN', `12345:${'x'.repeat(36)}`, 'usage', /35 characters/],
    [
      'KNELL_PUSHOVER_TOKEN',
      'hidden',
      'usage',
      /^KNELL_PUSHOVER_TOKEN: its value is not 30 letters and digits$/,
    ],
    ['KNELL_TWILIO_ACCOUNT', `SK${'0'.repeat(32)}`, 'usage', /: its value is not AC and 32 digits of 0–9/],
    ['KNELL_WHATSAPP_UP_SID', 'HX12', 'usage', /: its value is not HX and 32/],
    ['KNELL_BADGE_LABEL', 'Ours', 'conflict', /comes from the environment, which wins/],
  ])('%s is not set to %.30s', (variable, value, code, message) => {
    const { settings } = withStored({}, { KNELL_BADGE_LABEL: 'Theirs' });
    const setting = (): void => settings.mustBeSettable(variable, value);
    expect(setting).toThrow(message);
    expect(setting).toThrow(expect.objectContaining({ code }));
  });

  it.each([
    ['KNELL_TELEGRAM_TOKEN', ` 781700368:AA_vH4rG4wuRTv88YBJlhw1pKFd-w7kj0Lk `],
    ['KNELL_PUSHOVER_TOKEN', 'azGDORePK8gMaC0QOYAMyEEuzJnyUi'],
    ['KNELL_TWILIO_ACCOUNT', 'AC44CE4123947237834573457345347567'],
    ['KNELL_WHATSAPP_SERVICE', `MG${'0a'.repeat(16)}`],
    ['KNELL_TWILIO_AUTH', 'whatever'],
  ])('%s may be set to what has the form that its vendor documents', (variable, value) => {
    expect(() => withStored({}).settings.mustBeSettable(variable, value)).not.toThrow();
  });

  it('of another form counts where the environment, or an earlier version, has set it', () => {
    const { settings } = withStored({ KNELL_PUSHOVER_TOKEN: 'old' }, { KNELL_TELEGRAM_TOKEN: '1:other' });
    expect([settings.current.telegramToken, settings.current.pushoverToken]).toEqual(['1:other', 'old']);
  });
});
