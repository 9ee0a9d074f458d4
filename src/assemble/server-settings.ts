/**
 * Settings that owners may change while Knell runs: what the environment or a flag gives wins; else what an owner has set counts;
 * else the default. Not here: which variables there are (`config`), where what an owner sets is kept (`engine/changes/accept-setting`).
 * Invariant: a stored value that can no longer be read counts as not set.
 */
import { baseUrlOf, type Config, nodeNameOf, settings } from '../config.ts';
import type { StoredSetting } from '../domain/accounts/project.ts';
import type { MailServerView, ServerSettingView } from '../domain/views/page-view.ts';
import { KnellError } from '../lib/errors.ts';
import { readMailUrl, type Setting } from '../lib/read-setting.ts';
import { settingCharsMax } from './limits.ts';
import { mailServerOf, withPasswordOf } from './mail-server.ts';
import { formError } from './setting-forms.ts';

/**
 * Settings that need no other socket, file or right of the process. Commands (`KNELL_SHELL_CHANNELS`) stay with who runs the
 * server.
 */
const changeable = [
  'mailUrl',
  'mailFrom',
  'timeZone',
  'badgeLabel',
  'alertLinks',
  'webhookAllow',
  'appriseUrl',
  'discordClientId',
  'discordClientSecret',
  'githubToken',
  'matrixHomeserver',
  'matrixToken',
  'pdAppId',
  'pushoverToken',
  'pushoverSubscriptionUrl',
  'signalUrl',
  'signalNumber',
  'slackClientId',
  'slackClientSecret',
  'telegramToken',
  'trelloKey',
  'twilioAccount',
  'twilioAuth',
  'twilioFrom',
  'whatsappService',
  'whatsappDownSid',
  'whatsappUpSid',
] as const satisfies readonly (keyof Config)[];

/** What holds while nothing is set, of those that have no value as a default. */
const derived: Readonly<Record<string, ((config: Config) => string) | undefined>> = {
  timeZone: () => settings.timeZone.read(''),
  node: () => nodeNameOf({ node: '' }),
  baseUrl: ({ http, httpTlsCert }) => baseUrlOf({ baseUrl: null, http, httpTlsCert }),
};

interface ServerSettingsOptions {
  readonly config: Config;
  /** The variables that the environment or a flag gives, with their texts; those of secrets are empty. */
  readonly given: ReadonlyMap<string, string>;
  /** Settings that owners have made: another array after each change. */
  readonly stored: () => readonly StoredSetting[];
}

export class ServerSettings {
  readonly #options: ServerSettingsOptions;
  #readFrom: readonly StoredSetting[] | null = null;
  #values: Partial<Config> = {};
  /** A field that may change is read anew each time that it is looked at. */
  readonly current: Config;

  constructor(options: ServerSettingsOptions) {
    this.#options = options;
    const current = { ...options.config };
    for (const name of changeable)
      Object.defineProperty(current, name, { enumerable: true, get: () => this.#all()[name] });
    // A client keeps the list that it was given.
    const contains = (address: string): boolean => this.#all().webhookAllow.contains(address);
    Object.defineProperty(current, 'webhookAllow', { enumerable: true, value: { contains } });
    this.current = current;
  }

  #all(): Config {
    const { config, stored } = this.#options;
    const latest = stored();
    if (latest !== this.#readFrom) {
      this.#readFrom = latest;
      this.#values = this.#read(latest);
    }
    return { ...config, ...this.#values };
  }

  #read(stored: readonly StoredSetting[]): Partial<Config> {
    const values: [string, unknown][] = [];
    for (const name of changeable) {
      const { variable, read } = settings[name];
      const text = stored.find((one) => one.variable === variable)?.value;
      if (text === undefined || this.#options.given.has(variable)) continue;
      try {
        values.push([name, read(text)]);
      } catch {
        // Another version of Knell accepted this value, and this one does not: the default applies.
      }
    }
    // Each value was read by the setting of its name, so the types fit.
    return Object.fromEntries(values) as Partial<Config>;
  }

  /** All of them, by variable. Values of secrets are left out. */
  views(): readonly ServerSettingView[] {
    return Object.entries<Setting<unknown>>(settings)
      .map(([name, setting]) => this.#viewOf(name, setting))
      .sort((one, other) => (one.variable < other.variable ? -1 : 1));
  }

  #viewOf(name: string, { variable, fallback, help, secret }: Setting<unknown>): ServerSettingView {
    const given = this.#options.given.get(variable);
    const set = this.#options.stored().find((one) => one.variable === variable)?.value;
    const isChangeable = changeable.some((one) => one === name);
    return {
      ...{ variable, help, isSecret: secret },
      fallback: fallback || (derived[name]?.(this.#options.config) ?? ''),
      source: given !== undefined ? 'environment' : set !== undefined ? 'page' : 'default',
      value: secret ? null : (given ?? set ?? fallback),
      mayChange: given === undefined && isChangeable,
      isFixed: !isChangeable,
      isOverridden: given !== undefined && set !== undefined,
    };
  }

  /** The mail server that is set; null for none. */
  mailServer(): MailServerView | null {
    return mailServerOf(this.current.mailUrl);
  }

  /** Returns an address of the mail server with the password that an owner has set; null where that is not for it. */
  mailUrlWithPassword(wanted: string): string | null {
    readMailUrl(wanted);
    return withPasswordOf(this.current.mailUrl, wanted);
  }

  /** `value`: null for none. Throws a KnellError: `usage` where it cannot be set so, `conflict` where the environment has it. */
  mustBeSettable(variable: string, value: string | null): void {
    const name = changeable.find((one) => settings[one].variable === variable);
    if (name === undefined)
      throw new KnellError(
        'usage',
        `${variable} is not set here: set it in the environment and restart Knell`,
      );
    if (this.#options.given.has(variable))
      throw new KnellError('conflict', `${variable} comes from the environment, which wins: change it there`);
    if (value === null) return;
    if (value.length > settingCharsMax)
      throw new KnellError('usage', `${variable}: a value has at most ${settingCharsMax} characters`);
    try {
      settings[name].read(value);
    } catch (error) {
      const shown = settings[name].secret ? 'its value' : JSON.stringify(value);
      throw new KnellError('usage', `${variable}: ${shown} ${error instanceof Error ? error.message : ''}`);
    }
    const wrong = formError(name, value);
    if (wrong !== null) throw new KnellError('usage', `${variable}: ${wrong}`);
  }
}
