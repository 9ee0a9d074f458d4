/** The checks, integrations and windows of a random life of alerting. */
import { defaultChannelSettings } from '../../src/domain/accounts/channel-settings.ts';
import { type Check, type CheckConfig, defaultConfig } from '../../src/domain/check/check.ts';
import type { PingRequest } from '../../src/engine/contract/engine.ts';
import type { ChannelId } from '../../src/lib/ids.ts';
import { words } from '../support/words.ts';
import type { Random } from './random.ts';
import { lateDelayS } from './sent-late.ts';

export const alertingNames = ['a', 'b', 'c', 'd'] as const;

export function anyAlertingConfig(random: Random, name: string, channels: readonly ChannelId[]): CheckConfig {
  const others = alertingNames.filter((other) => other !== name && random.chance(0.3));
  const dependsOn = random.chance(0.5) ? others.join(' ') : random.pick(['', '', 'tag:x', 'tag:x a']);
  return {
    ...{ ...defaultConfig, name, slug: name, timeoutS: 600, graceS: 120, channels },
    tags: random.chance(0.3) ? 'x' : '',
    alertAfter: random.pick([1, 1, 2, 3]),
    alertOfLast: random.pick([0, 0, 4]),
    recoverAfter: random.pick([1, 1, 2]),
    dependsOn,
    holdS: random.pick([0, 0, 60]),
    unstableChanges: random.pick([0, 0, 3]),
    unstableWindowS: 600,
  };
}

export function settingsOf(config: CheckConfig): string {
  const { alertAfter, alertOfLast, recoverAfter, dependsOn, holdS, unstableChanges, tags } = config;
  return JSON.stringify({ alertAfter, alertOfLast, recoverAfter, dependsOn, holdS, unstableChanges, tags });
}

/** One that collects, one that is notified of what nobody acknowledges, and one that is notified of each check after a delay. */
export function collectingChannels(random: Random) {
  const team = { collectS: random.pick([60, 300]), repeatS: random.pick([0, 0, 600]) };
  const boss = { escalateS: 300, collectS: random.pick([0, 60]) };
  const late = { delayS: lateDelayS };
  return Object.entries({ team, boss, late }).map(([name, given]) => {
    const address = `https://hooks.test/${name}`;
    const about = name === 'late' ? '$NAME' : '$INCIDENT_ID';
    const value = JSON.stringify({
      ...{ url_down: address, url_up: address, method_down: 'POST', method_up: 'POST' },
      ...{ body_down: `${about} down`, body_up: `${about} up`, headers_down: {}, headers_up: {} },
    });
    return { kind: 'webhook', name, value, settings: { ...defaultChannelSettings, ...given } } as const;
  });
}

/** Quiet hours of these integrations, once. */
export function quietWindow(
  integrations: readonly ChannelId[],
  times: { readonly fromMs: number; readonly untilMs: number },
) {
  const never = { schedule: '', tz: 'UTC', durationS: 0, dates: [], except: [] };
  return {
    ...times,
    ...never,
    checks: [],
    tags: [],
    integrations,
    name: 'q',
    countsAsDowntime: false,
    by: '',
  };
}

export function pingOf({ id }: Check, action: 'success' | 'fail', nowMs: number): PingRequest {
  return {
    ...{ target: { by: 'uuid', uuid: words(id) }, error: null, action, exitStatus: null, rid: null },
    ...{
      host: '',
      results: [],
      scheme: 'https',
      method: 'GET',
      remoteAddr: '192.0.2.1',
      ua: '',
      body: new Uint8Array(),
    },
    searchable: { via: 'http', body: new Uint8Array() },
    receivedAtMs: nowMs,
  };
}
