/**
 * Gatus: the external endpoints of its configuration that have a heartbeat, the providers of alerts that they name, and the
 * maintenance. After the configuration in Gatus' README.
 */
import type { ChannelKind } from '../../domain/accounts/project.ts';
import { KnellError } from '../../lib/errors.ts';
import { Draft, type ForeignConfiguration } from './draft.ts';
import { flagIn, isPlain, listIn, type Plain, plainIn, secondsOf, textIn, textsIn } from './fields.ts';

export function fromGatus(file: unknown, project: string): ForeignConfiguration {
  if (!isPlain(file) || !['endpoints', 'external-endpoints'].some((name) => name in file))
    throw new KnellError('usage', 'this is no configuration of Gatus: it has no endpoints');
  const draft = new Draft(project);
  const providers = new Map<string, string | null>();
  const integrationOf = (type: string): string | null => {
    const known = providers.get(type);
    if (known !== undefined) return known;
    const added = addProvider(draft, type, plainIn(plainIn(file, 'alerting'), type));
    providers.set(type, added);
    return added;
  };
  for (const endpoint of listIn(file, 'external-endpoints')) addEndpoint(draft, endpoint, integrationOf);
  for (const endpoint of listIn(file, 'endpoints'))
    draft.leaveOut(
      'endpoint',
      textIn(endpoint, 'name'),
      'Knell waits for pings, and looks at nothing itself',
    );
  addMaintenance(draft, plainIn(file, 'maintenance'));
  return draft.done();
}

function addEndpoint(draft: Draft, endpoint: Plain, integrationOf: (type: string) => string | null): void {
  const name = textIn(endpoint, 'name');
  const group = textIn(endpoint, 'group');
  const interval = secondsOf(textIn(plainIn(endpoint, 'heartbeat'), 'interval'));
  if (interval === null || interval === 0) {
    draft.leaveOut('external endpoint', name, 'it has no heartbeat, so nothing says when a result is due');
    return;
  }
  if (!flagIn(endpoint, 'enabled', true))
    draft.note('check', name, 'it was disabled: here it waits for its first ping');
  const types = listIn(endpoint, 'alerts').map((alert) => textIn(alert, 'type'));
  const key = [group, name].map((part) => part.replace(/[ /_,.#]/g, '-')).join('_');
  draft.check({
    name: group === '' ? name : `${group} ${name}`,
    when: { timeoutS: interval },
    graceS: leastGraceS,
    tags: group === '' ? [] : [group],
    integrations: [...new Set(types)].flatMap((type) => integrationOf(type) ?? []),
    pingedAt: `/api/v1/endpoints/${key}/external`,
  });
}

/** Seconds: Gatus knows no grace time. */
const leastGraceS = 60;

type Translated = readonly [kind: ChannelKind, fields: Readonly<Record<string, string>>];

const providerKinds: Readonly<Record<string, (config: Plain) => Translated>> = {
  slack: (config) => ['slack', { value: textIn(config, 'webhook-url') }],
  discord: (config) => ['discord', { value: textIn(config, 'webhook-url') }],
  mattermost: (config) => ['mattermost', { value: textIn(config, 'webhook-url') }],
  'teams-workflows': (config) => ['msteamsw', { value: textIn(config, 'webhook-url') }],
  googlechat: (config) => ['googlechat', { value: textIn(config, 'webhook-url') }],
  email: (config) => ['email', { value: textIn(config, 'to') }],
  pagerduty: (config) => ['pd', { value: textIn(config, 'integration-key') }],
  opsgenie: (config) => ['opsgenie', { key: textIn(config, 'api-key'), region: 'us' }],
  ntfy: (config) => [
    'ntfy',
    { topic: textIn(config, 'topic'), url: textIn(config, 'url') || 'https://ntfy.sh' },
  ],
  gotify: (config) => ['gotify', { url: textIn(config, 'server-url'), token: textIn(config, 'token') }],
  pushover: (config) => ['po', { user: textIn(config, 'user-key') }],
};

function addProvider(draft: Draft, type: string, config: Plain): string | null {
  const translate = Object.hasOwn(providerKinds, type) ? providerKinds[type] : undefined;
  const [kind, fields] = translate?.(config) ?? [null, {}];
  const [first = ''] = Object.values(fields);
  if (/\$\{?\w/.test(Object.values(fields).join(' ')))
    draft.leaveOut('alerting', type, 'it is read from an environment variable: set it up under Integrations');
  else if (kind === null || first === '')
    draft.leaveOut('alerting', type || 'unknown', 'set it up under Integrations');
  else return draft.integration(type, kind, fields);
  return null;
}

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

function addMaintenance(draft: Draft, maintenance: Plain): void {
  const start = textIn(maintenance, 'start');
  if (start === '' || !flagIn(maintenance, 'enabled', true)) return;
  const [, hour, minute] = /^(\d\d?):(\d\d)$/.exec(start) ?? [];
  const duration = secondsOf(textIn(maintenance, 'duration'));
  if (hour === undefined || minute === undefined || duration === null) {
    draft.leaveOut('maintenance', start, 'its start or its duration cannot be read');
    return;
  }
  const every = textsIn(maintenance, 'every').map((name) => days.indexOf(name.toLowerCase()));
  const weekdays = every.length === 0 || every.includes(-1) ? '*' : every.join(',');
  draft.maintenance({
    name: 'Maintenance',
    schedule: `${Number(minute)} ${Number(hour)} * * ${weekdays}`,
    tz: textIn(maintenance, 'timezone') || 'UTC',
    duration,
  });
}
