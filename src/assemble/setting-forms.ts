/**
 * The form of settings whose vendors document one: what was copied only in part, or from another line, is refused when an owner saves it.
 * Nobody is asked over the network, and what the environment gives is taken as it is.
 */

interface Form {
  readonly pattern: RegExp;
  /** What follows `is not `. */
  readonly is: string;
}

/** https://www.twilio.com/docs/glossary/what-is-a-sid */
const sid = (prefix: string): Form => ({
  pattern: new RegExp(`^${prefix}[0-9a-f]{32}$`, 'i'),
  is: `${prefix} and 32 digits of 0–9 and a–f`,
});

const forms: Readonly<Record<string, Form | undefined>> = {
  // https://core.telegram.org/bots/api#authorizing-your-bot
  telegramToken: {
    pattern: /^\d+:[\w-]{35}$/,
    is: 'a number, a colon and 35 characters, as @BotFather gives it',
  },
  // https://pushover.net/api#registration
  pushoverToken: { pattern: /^[a-z0-9]{30}$/i, is: '30 letters and digits' },
  twilioAccount: sid('AC'),
  whatsappService: sid('MG'),
  whatsappDownSid: sid('HX'),
  whatsappUpSid: sid('HX'),
};

/** What is wrong with the form of a value, behind the name of its variable; null for nothing. Says nothing of the value: it is a secret. */
export function formError(name: string, value: string): string | null {
  const form = forms[name];
  return form === undefined || form.pattern.test(value.trim()) ? null : `its value is not ${form.is}`;
}
