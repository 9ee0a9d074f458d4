/**
 * Gatus: the external endpoints of its configuration that have a heartbeat, the providers of alerts that they name, and the
 * maintenance. After the configuration in Gatus' README.
 */
import { spanS } from '../../domain/discover/unit-file.ts';
import { KnellError } from '../../lib/errors.ts';
import { Draft, type ForeignConfiguration, looksAtNothing, type ReadIntegration, setItUp } from './draft.ts';
import { flagIn, isPlain, listIn, type Plain, plainIn, textIn, textsIn } from './fields.ts';

export function fromGatus(file: unknown, project: string): ForeignConfiguration {
  if (!isPlain(file) || !['endpoints', 'external-endpoints'].some((name) => name in file))
    throw new KnellError('usage', 'this is no configuration of Gatus: it has no endpoints');
  const draft = new Draft(project);
  const alerting = new Alerting(draft, plainIn(file, 'alerting'));
  for (const endpoint of listIn(file, 'external-endpoints')) addEndpoint(draft, endpoint, alerting);
  for (const endpoint of listIn(file, 'endpoints'))
    draft.leaveOut('endpoint', textIn(endpoint, 'name'), looksAtNothing);
  addMaintenance(draft, plainIn(file, 'maintenance'));
  return draft.done();
}

function addEndpoint(draft: Draft, endpoint: Plain, alerting: Alerting): void {
  const name = textIn(endpoint, 'name');
  const group = textIn(endpoint, 'group');
  const interval = spanS(textIn(plainIn(endpoint, 'heartbeat'), 'interval'));
  if (interval === null || interval === 0) {
    draft.leaveOut('external endpoint', name, 'it has no heartbeat, so nothing says when a result is due');
    return;
  }
  draft.check({
    name: group === '' ? name : `${group} ${name}`,
    when: { timeoutS: interval },
    tags: group === '' ? [] : [group],
    integrations: alerting.of(listIn(endpoint, 'alerts')),
    was: flagIn(endpoint, 'enabled', true) ? null : 'disabled',
    pingedAt: `/api/v1/endpoints/${keyPart(group)}_${keyPart(name)}/external`,
  });
}

function keyPart(text: string): string {
  return text.toLowerCase().replace(/[ /_,.#]/g, '-');
}

const kinds: ReadonlyMap<string, ReadIntegration> = new Map<string, ReadIntegration>([
  ['slack', (config) => ['slack', { value: textIn(config, 'webhook-url') }]],
  ['discord', (config) => ['discord', { value: textIn(config, 'webhook-url') }]],
  ['mattermost', (config) => ['mattermost', { value: textIn(config, 'webhook-url') }]],
  ['teams-workflows', (config) => ['msteamsw', { value: textIn(config, 'webhook-url') }]],
  ['googlechat', (config) => ['googlechat', { value: textIn(config, 'webhook-url') }]],
  ['email', (config) => ['email', { value: textIn(config, 'to') }]],
  ['pagerduty', (config) => ['pd', { value: textIn(config, 'integration-key') }]],
  ['opsgenie', (config) => ['opsgenie', { key: textIn(config, 'api-key'), region: 'us' }]],
  [
    'ntfy',
    (config) => ['ntfy', { topic: textIn(config, 'topic'), url: textIn(config, 'url') || 'https://ntfy.sh' }],
  ],
  ['gotify', (config) => ['gotify', { url: textIn(config, 'server-url'), token: textIn(config, 'token') }]],
  ['pushover', (config) => ['po', { user: textIn(config, 'user-key') }]],
]);

/** The providers of alerts, each taken over when the first endpoint names it. */
class Alerting {
  readonly #draft: Draft;
  readonly #settings: Plain;
  /** Names here by the types of Gatus; none for one that was left out. */
  readonly #names = new Map<string, readonly string[]>();

  constructor(draft: Draft, settings: Plain) {
    this.#draft = draft;
    this.#settings = settings;
  }

  /** The names of the integrations that an endpoint with these alerts notifies. */
  of(alerts: readonly Plain[]): readonly string[] {
    const types = alerts.filter((alert) => this.#isOn(alert)).map((alert) => textIn(alert, 'type'));
    return [...new Set(types)].flatMap((type) => this.#named(type));
  }

  #isOn(alert: Plain): boolean {
    const byDefault = plainIn(plainIn(this.#settings, textIn(alert, 'type')), 'default-alert');
    return flagIn(alert, 'enabled', flagIn(byDefault, 'enabled', true));
  }

  #named(type: string): readonly string[] {
    const known = this.#names.get(type);
    if (known !== undefined) return known;
    const added = this.#added(type);
    this.#names.set(type, added);
    return added;
  }

  #added(type: string): readonly string[] {
    const [kind, fields] = kinds.get(type)?.(plainIn(this.#settings, type)) ?? [null, {}];
    if (kind === null) this.#draft.leaveOut('alerting', type, setItUp);
    else if (Object.values(fields).some((text) => /\$\{?\w/.test(text)))
      this.#draft.leaveOut('alerting', type, `it is read from an environment variable: ${setItUp}`);
    else return this.#draft.integrations(type, kind, fields);
    return [];
  }
}

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

function addMaintenance(draft: Draft, maintenance: Plain): void {
  const start = textIn(maintenance, 'start');
  if (start === '' || !flagIn(maintenance, 'enabled', true)) return;
  const [, hour, minute] = /^(\d\d?):(\d\d)$/.exec(start) ?? [];
  const duration = spanS(textIn(maintenance, 'duration'));
  const every = textsIn(maintenance, 'every').map((name) => days.indexOf(name.toLowerCase()));
  if (hour === undefined || minute === undefined || duration === null || every.includes(-1)) {
    draft.leaveOut('maintenance', start, 'its start, its duration or its days cannot be read');
    return;
  }
  draft.maintenance({
    name: 'Maintenance',
    schedule: `${Number(minute)} ${Number(hour)} * * ${every.length === 0 ? '*' : every.join(',')}`,
    tz: textIn(maintenance, 'timezone') || 'UTC',
    duration,
  });
}
