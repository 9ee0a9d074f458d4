/** What is asked before a setting of the server is removed, and said afterwards. Pure. */
import type { ServerSettingView } from '../../domain/views/page-view.ts';
import { kinds } from '../../integrations/all.ts';
import { clientVariables, settingsNeeded } from '../../integrations/contract/settings.ts';
import { type ChannelKind, channelKinds, titles } from '../../integrations/contract/titles.ts';

type Setting = Pick<ServerSettingView, 'variable' | 'isSecret' | 'fallback'>;

interface Question {
  readonly title: string;
  readonly ask: string;
  readonly yes: string;
}

export function removalQuestion(setting: Setting, name: string): Question {
  const { isSecret, fallback } = setting;
  const stops = stopsWords(setting);
  if (!isUnset(setting))
    return {
      title: `Use the default of ${named(name)}?`,
      ask: [`The default is ${fallback}.`, ...stops].join(' '),
      yes: 'Use the default',
    };
  const again = isSecret ? ['It cannot be shown again: to set it again you need it from elsewhere.'] : [];
  return { title: `Remove ${named(name)}?`, ask: [...again, ...stops].join(' '), yes: 'Remove' };
}

export function removedWords(setting: Setting, name: string): string {
  return isUnset(setting) ? `${name} was removed.` : `${name}: the default applies.`;
}

/** Whether nothing that can be shown holds once it is removed. */
function isUnset({ isSecret, fallback }: Setting): boolean {
  return isSecret || fallback === '';
}

/** Returns `the Telegram bot token` or `the mail server`, as within a sentence. */
function named(name: string): string {
  const [subject = '', what = ''] = name.split(': ');
  if (what !== '') return `the ${subject} ${what}`;
  return `the ${/^.[a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name}`;
}

/** What stops without it, by variable, where that does not follow from the kinds that need it. */
const stops: Readonly<Record<string, string>> = {
  [settingsNeeded.mailUrl]:
    'Knell sends no email until it is set again: no alerts, no reports, no invitations and no links for a new password.',
  KNELL_WEBHOOK_ALLOW:
    'Integrations whose address is in a private network cannot send until it is set again.',
  KNELL_HEARTBEAT_URL: 'Nobody learns by it any more that Knell itself is down.',
  [clientVariables.discordClientId]: 'Discord can no longer be added with its button.',
  [clientVariables.discordClientSecret]: 'Discord can no longer be added with its button.',
  [clientVariables.slackClientId]: 'Slack can no longer be added with its button.',
  [clientVariables.slackClientSecret]: 'Slack can no longer be added with its button.',
};

function stopsWords({ variable }: Setting): readonly string[] {
  const own = stops[variable];
  if (own !== undefined) return [own];
  const kindsWithout = channelKinds.filter((kind) => needs(kind, variable)).map((kind) => titles[kind]);
  const last = kindsWithout.at(-1);
  if (last === undefined) return [];
  const before = kindsWithout.slice(0, -1).join(', ');
  const named = before === '' ? last : `${before} and ${last}`;
  return [`Integrations of ${named} cannot send until it is set again.`];
}

/** A kind may need a value of it, such as `on`. */
function needs(kind: ChannelKind, variable: string): boolean {
  return (kinds[kind].needs ?? []).some((one) => settingsNeeded[one].split('=')[0] === variable);
}
