/**
 * Engine and model side by side: each as lines of text, one for every thing that there is, so that what differs can be
 * read. Invariant: everything that the API or the page shows of a check is in its line.
 */

import { settingsOf } from '../../src/domain/accounts/project.ts';
import type { Check, CheckConfig } from '../../src/domain/check/check.ts';
import type { Ping } from '../../src/domain/check/ping.ts';
import type { Engine } from '../../src/engine/contract/engine.ts';
import { channelAccepts } from '../../src/integrations/channel-value.ts';
import { day, hour, NEVER } from '../../src/lib/units.ts';
import { recounted, shownStatistics } from '../support/store/statistics-model.ts';
import type { Model } from './model.ts';
import type { ModelChange } from './model-alerts.ts';
import type { ModelCheck } from './model-check.ts';
import type { Learned } from './model-results.ts';
import type { Names } from './names.ts';

/** What is shown, by name. */
export type Facts = ReadonlyMap<string, string>;

interface Shown {
  readonly project: string;
  readonly names: Names;
  readonly nowMs: number;
}

const pingsMax = 1000;
const utf8 = new TextDecoder();

export function engineFacts({ read }: Engine, names: Names, nowMs: number): Facts {
  const facts = new Map<string, string>();
  for (const { id, name } of read.projects()) {
    facts.set(name, `project with ${read.keys(id).length} keys`);
    for (const channel of read.channels(id)) {
      const { late, disabled, delayS, repeatS } = settingsOf(channel);
      const acceptsUp = channelAccepts(channel.kind, channel.value, 'up');
      facts.set(channel.name, JSON.stringify({ project: name, late, disabled, acceptsUp, delayS, repeatS }));
    }
    for (const check of read.checks(id, nowMs))
      facts.set(check.config.name, checkLine(read, check, { project: name, names, nowMs }));
  }
  return facts;
}

function checkLine(read: Engine['read'], check: Check, { project, names, nowMs }: Shown): string {
  const { id, config, state } = check;
  const pings = [...read.pings(id, pingsMax)].reverse().map((ping) => {
    const body = ping.bodyBytes === 0 ? '' : utf8.decode(read.body(id, ping.n) ?? new Uint8Array(0));
    const numbers = [ping.results, ping.note === 'result' ? aboutOf(ping) : null];
    return [ping.n, ping.signal, ping.atMs, ping.rid, ping.host, ping.exitStatus, body, ...numbers];
  });
  const changes = read.changes(id, { fromMs: 0, untilMs: NEVER });
  return JSON.stringify({
    project,
    ...{ status: state.status, n: state.nPings, last: state.lastPingMs, started: state.startedMs },
    ...{ rid: state.startRid, duration: state.lastDurationMs },
    ...{ late: instant(state.expectedAtMs), down: instant(state.downAtMs) },
    snooze: check.snooze ? [check.snooze.atMs, check.snooze.untilMs, check.snooze.by] : null,
    acknowledged: check.acknowledgement ? [check.acknowledgement.atMs, check.acknowledgement.by] : null,
    ...{ integrations: config.channels.map((channel) => names.of(channel)).sort(), config: shown(config) },
    ...{ changes: inOrder(changes), pings },
    learned: learnedOf(
      Object.fromEntries((check.runs?.results ?? []).map(({ name, values }) => [name, values])),
    ),
    endings: [
      ...new Set(
        read
          .runEndings(id, { fromMs: 0, untilMs: NEVER }, pingsMax)
          .map(
            ({ outcome, rid, host, atMs }) =>
              `${atMs} ${outcome} ${outcome === 'missed' ? host : (rid ?? '')}`,
          ),
      ),
    ].sort(),
    statistics: read.statistics(id, edgesAt(nowMs), nowMs).map(shownStatistics),
  });
}

const limitKinds = ['below', 'above', 'change', 'missing'] as const;

/** A broken limit as the model has it, out of the figures of the ping. */
function aboutOf({ about, figures }: Ping): readonly (string | number | null)[] {
  const [kind = 0, , hasValue, value = 0, bound = 0, hasUsual, , median = 0] = figures;
  const limit = limitKinds[kind];
  return [
    about.split(' ')[0] ?? '',
    limit ?? '',
    hasValue === 1 ? value : null,
    limit === 'missing' ? null : bound,
    hasUsual === 1 ? median : null,
  ];
}

function learnedOf(values: Learned): readonly string[] {
  return Object.entries(values)
    .map(([name, list]) => `${name} ${list.join(' ')}`)
    .sort();
}

/** By the hour for two days, then by the day: all of a life. */
function edgesAt(nowMs: number): readonly number[] {
  const [endMs, nextDayMs] = [Math.ceil((nowMs + 1) / hour) * hour, Math.ceil((nowMs + 1) / day) * day];
  const hours = Array.from({ length: 49 }, (_, before) => endMs - (48 - before) * hour);
  const days = [4000, 400, 90, 60, 30, 20, 10, 5, 4].map((before) => nextDayMs - before * day);
  return [...days, ...hours];
}

export function modelFacts(model: Model, nowMs: number): Facts {
  const facts = new Map<string, string>();
  for (const name of model.projects) facts.set(name, 'project with 3 keys');
  for (const [name, { project, late, disabled, acceptsUp, delayS, repeatS }] of model.integrations)
    facts.set(name, JSON.stringify({ project, late, disabled, acceptsUp, delayS, repeatS }));
  for (const [name, check] of model.checks) facts.set(name, modelLine(check, nowMs));
  return facts;
}

function modelLine(check: ModelCheck, nowMs: number): string {
  const edges = edgesAt(nowMs);
  return JSON.stringify({
    project: check.project,
    ...{ status: check.status, n: check.pings.length, last: check.lastPingMs, started: check.startedMs },
    ...{ rid: check.startRid, duration: check.durationMs },
    ...{ late: instant(check.lateMs), down: instant(check.downMs) },
    snooze: check.snooze ? [check.snooze.fromMs, check.snooze.untilMs, check.snooze.by] : null,
    acknowledged: check.acknowledged ? [check.acknowledged.atMs, check.acknowledged.by] : null,
    ...{ integrations: [...check.integrations].sort(), config: shown(check.config) },
    changes: inOrder(check.changes),
    pings: check.pings.map((ping, at) => [
      at + 1,
      ping.signal,
      ping.atMs,
      ping.rid,
      ping.host,
      ping.exitStatus,
      ping.body,
      ping.results,
      ping.breach,
    ]),
    learned: learnedOf(check.learned),
    // Endings that agree in everything are one: of runs that began and ended in one millisecond.
    endings: [
      ...new Set(check.endings.map(({ outcome, whose, atMs }) => `${atMs} ${outcome} ${whose}`)),
    ].sort(),
    statistics: edges
      .slice(1)
      .map((untilMs, at) =>
        recounted({ pings: check.pings, changes: check.changes, nowMs }, edges[at] ?? 0, untilMs),
      ),
  });
}

function instant(atMs: number): number | null {
  return atMs >= NEVER ? null : atMs;
}

function shown(config: CheckConfig): Omit<CheckConfig, 'channels'> {
  const { channels: _, ...rest } = config;
  return rest;
}

/** By time: of those of one instant the order is not promised. */
function inOrder(changes: readonly Pick<ModelChange, 'atMs' | 'from' | 'to' | 'cause'>[]): readonly string[] {
  return changes.map(({ atMs, from, to, cause }) => `${atMs} ${from} ${to} ${cause}`).sort();
}

/** Null when they are the same, else what is not, field by field. */
export function difference(engine: Facts, model: Facts): string | null {
  const names = [...new Set([...engine.keys(), ...model.keys()])];
  const wrong = names.filter((name) => engine.get(name) !== model.get(name));
  if (wrong.length === 0) return null;
  return wrong.map((name) => `${name}: ${differentFields(engine.get(name), model.get(name))}`).join('\n');
}

function differentFields(inEngine: string | undefined, inModel: string | undefined): string {
  if (!inEngine?.startsWith('{') || !inModel?.startsWith('{'))
    return `engine ${inEngine ?? 'has none'}, model ${inModel ?? 'has none'}`;
  const engine: Record<string, unknown> = JSON.parse(inEngine);
  const model: Record<string, unknown> = JSON.parse(inModel);
  return Object.keys(engine)
    .map((field) => [field, JSON.stringify(engine[field]), JSON.stringify(model[field])] as const)
    .filter(([, one, other]) => one !== other)
    .map(([field, one, other]) => `\n  ${field}\n    engine ${one}\n    model  ${other}`)
    .join('');
}
