/**
 * Alerting in a cluster: checks whose settings hold alerts back, integrations that are sent incidents as a whole, and what must be true
 * of both whichever nodes led. What a setting means is held by the lives of one node (`alerting-life`).
 * Invariant: nothing is required of a check that was paused: of its outage no end is sent.
 */
import { defaultChannelSettings } from '../../src/domain/accounts/project.ts';
import type { Incident } from '../../src/domain/alerting/incident.ts';
import type { CheckConfig } from '../../src/domain/check/check.ts';
import { lastDelivered } from '../../src/domain/deliveries/sent-notification.ts';
import type { EngineRead } from '../../src/engine/contract/engine.ts';
import type { ChannelId, ProjectId } from '../../src/lib/ids.ts';
import { NEVER } from '../../src/lib/units.ts';
import { Random } from './random.ts';

interface Sent {
  readonly integration: string;
  /** The name of a check, or the id of an incident. */
  readonly about: string;
  readonly status: string;
}

interface Collecting {
  readonly channelId: ChannelId;
  readonly name: string;
}

const notificationsMax = 1000;
/** Of a life of half a minute. */
const collectingS = { team: { collectS: 5 }, boss: { collectS: 2, escalateS: 8 } };
const collectingNames = Object.keys(collectingS) as readonly (keyof typeof collectingS)[];

export class ClusterAlerting {
  readonly #random: Random;
  readonly #paused = new Set<string>();
  /** What each was sent last, as it was taken. */
  readonly #sent = new Map<string, string>();

  constructor(seed: number) {
    this.#random = new Random(seed ^ 0x414c);
  }

  /** Of a new check. */
  settings(): Partial<CheckConfig> {
    const random = this.#random;
    const others = ['c1', 'c2', 'c3'].filter(() => random.chance(0.2));
    return {
      tags: random.chance(0.3) ? 'x' : '',
      alertAfter: random.pick([1, 1, 2, 3]),
      recoverAfter: random.pick([1, 1, 2]),
      dependsOn: random.chance(0.8) ? others.join(' ') : 'tag:x',
      holdS: random.pick([0, 0, 3]),
      unstableChanges: random.pick([0, 0, 3]),
      unstableWindowS: 10,
    };
  }

  integrations(hookValue: (name: string, body: string) => string) {
    return collectingNames.map((name) => ({
      ...{ kind: 'webhook' as const, name, value: hookValue(name, '$INCIDENT_ID $STATUS') },
      settings: { ...defaultChannelSettings, ...collectingS[name] },
    }));
  }

  paused(id: string): void {
    this.#paused.add(id);
  }

  took({ integration, about, status }: Sent): void {
    this.#sent.set(`${integration} ${about}`, status);
  }

  /** Nothing is in flight. Each integration was sent last what there is. */
  mustBeKnown(read: EngineRead, projectId: ProjectId, nowMs: number): void {
    for (const check of read.checks(projectId, nowMs)) {
      const { id, hold, snooze, state, config } = check;
      if (hold || snooze || this.#paused.has(id)) continue;
      const { name } = config;
      const sent = this.#sent.get(`i1 ${name}`);
      const incident = read.incidentOf(id);
      if (state.status === 'down' && sent !== 'down')
        throw new Error(`${name} is down, and i1 was not notified`);
      if (state.status === 'up' && sent === 'down') throw new Error(`${name} is up, and i1 was not notified`);
      if ((state.status === 'down') !== (incident !== null))
        throw new Error(`${name} is ${state.status} and in ${incident?.id ?? 'no incident'}`);
    }
    for (const incident of read.incidents(projectId, nowMs + 1e9, 1000)) {
      const all = incident.checks.map(({ id }) => read.check(id, nowMs));
      if (all.some((check) => !check || this.#paused.has(check.id))) continue;
      const isHeld = all.some((check) => check?.hold || check?.snooze);
      if (isHeld) continue;
      for (const { id: channelId, name } of read.channels(projectId))
        if (name in collectingS) this.#mustBeKnown(read, incident, { channelId, name });
    }
  }

  #mustBeKnown(read: EngineRead, incident: Incident, { channelId, name }: Collecting): void {
    const { id, stage, checks } = incident;
    const sent = this.#sent.get(`${name} ${id}`);
    if (stage !== 'resolved' && sent !== 'down')
      throw new Error(`${id} is open, and ${name} was not notified`);
    // Of a message whose sender was killed before its answer came nobody knows.
    const isKnownDown = checks.some((check) => {
      const log = read.notifications(check.id, { fromMs: 0, untilMs: NEVER }, notificationsMax);
      return lastDelivered(log, channelId) === 'down';
    });
    if (stage === 'resolved' && sent === 'down' && isKnownDown)
      throw new Error(`${id} is resolved, and ${name} was not notified`);
  }

  /** Everything is up. */
  mustBeUp(read: EngineRead, projectId: ProjectId, nowMs: number): void {
    for (const { id, config, state, hold } of read.checks(projectId, nowMs))
      if (state.status !== 'up' && state.status !== 'grace' && !this.#paused.has(id))
        throw new Error(`${config.name} is ${state.status}, held by ${hold?.reason}`);
  }
}
