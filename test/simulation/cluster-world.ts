/**
 * Three nodes over one log and one clock, their clients, and what is known of what those were answered. A ping is asked for
 * once, at one client, and its body is its number: what was recorded of it can be counted.
 * Not here: which things happen (`cluster-life`), what must be true (`cluster-audit`).
 * Invariant: everything follows from the seed.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ForwardedReply, ForwardedRequest } from '../../src/cluster/requests/forwarded-request.ts';
import type { HttpRefusal } from '../../src/cluster/requests/in-flight.ts';
import { defaultChannelSettings } from '../../src/domain/accounts/project.ts';
import { type CheckConfig, defaultConfig } from '../../src/domain/check/check.ts';
import type { Delivery } from '../../src/domain/deliveries/delivery.ts';
import type { Engine, PingOutcome, PingRequest, PingTarget } from '../../src/engine/contract/engine.ts';
import { KnellError, messageOf } from '../../src/lib/errors.ts';
import { asCheckId, type ProjectId } from '../../src/lib/ids.ts';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { MemoryCluster } from '../support/store/memory-log.ts';
import { words as uuidWords } from '../support/words.ts';
import { ClusterAlerting } from './cluster-alerting.ts';
import { isFenced, SimulatedNode } from './cluster-node.ts';
import { ClusterRuns } from './cluster-runs.ts';
import { Snoozes } from './cluster-snoozes.ts';
import { Random, simulatedIds } from './random.ts';
import { type Attempt, Receivers } from './receivers.ts';

const startMs = Date.UTC(2026, 4, 4, 4);
const nodeNames = ['a', 'b', 'c'] as const;
const skewMsMax = 5000;
/**
 * Of clocks that are further apart than a take-over takes, a new leader may believe that what was sent of an incident is still to be
 * sent, and drop its end.
 */
const alertingSkewMsMax = 1000;
const bytes = new TextEncoder();

/** A ping that a client asked for. */
export interface AskedPing {
  readonly number: number;
  readonly check: string;
  readonly node: string;
  readonly askedMs: number;
  /** `lost`: the node was killed. Null while it waits. */
  outcome: PingOutcome | 'lost' | null;
  /** It was answered in the turn in which it was asked for. */
  isAtOnce: boolean;
}

/** An attempt to notify, and what the sender's outbox had under its key. */
export interface SentAlert {
  readonly key: string;
  readonly node: string;
  readonly delivery: Delivery | null;
  readonly took: boolean;
  readonly atMs: number;
}

/** What clients were answered of a check, by its name. */
export interface KnownCheck {
  /** Null while only its slug is known. */
  id: string | null;
  readonly isBySlug: boolean;
  /** Answered 201 to so many. */
  created: number;
  /** `asked`: it may be gone. */
  deletion: 'none' | 'asked' | 'done';
  acknowledged: number;
  /** The most pings that a read has shown. */
  seen: number;
}

export type Operation =
  | { readonly op: 'create'; readonly name: string; readonly settings: Partial<CheckConfig> }
  | { readonly op: 'pause' | 'resume' | 'delete'; readonly id: string }
  | { readonly op: 'snooze' | 'unsnooze'; readonly id: string; readonly untilMs: number }
  | { readonly op: 'read'; readonly id: string };

export class ClusterWorld {
  readonly random: Random;
  readonly clock = new SimulatedClock(startMs);
  readonly cluster: MemoryCluster;
  readonly nodes: readonly SimulatedNode[];
  readonly receivers: Receivers;
  readonly trace: string[] = [];
  readonly pings: AskedPing[] = [];
  readonly checks = new Map<string, KnownCheck>();
  readonly alerts: SentAlert[] = [];
  readonly snoozes = new Snoozes();
  readonly runs: ClusterRuns;
  /** Null in a life in which nothing of it is set. */
  readonly alerting: ClusterAlerting | null;
  readonly cutOff = new Set<string>();
  pingKey = '';
  project: ProjectId | null = null;
  /** Looks at an attempt to notify when it is made. */
  sending: (node: SimulatedNode) => void = () => {};
  #failure: unknown = null;
  #lastName = 0;

  constructor(seed: number, isAlerting = false) {
    this.random = new Random(seed);
    this.alerting = isAlerting ? new ClusterAlerting(seed) : null;
    // Without runs where alerting is looked at.
    this.runs = new ClusterRuns(isAlerting ? 0 : seed);
    const aheadMsMax = isAlerting ? alertingSkewMsMax : skewMsMax;
    const network = new Random(seed ^ 0x4e7);
    const ids = simulatedIds(new Random(seed ^ 0x1d5));
    this.cluster = new MemoryCluster({ scheduler: this.clock, random: () => network.next() });
    this.receivers = new Receivers(new Random(seed ^ 0x4ec));
    this.nodes = nodeNames.map(
      (name, at) =>
        new SimulatedNode({
          ...{ name, ids, cluster: this.cluster, clock: this.clock },
          seed: seed ^ (0xa0de * (at + 1)),
          skewMs: this.random.below(2 * aheadMsMax + 1) - aheadMsMax,
          sends: (node, request, clock) => {
            const answer = this.receivers.take(request, clock, node.starts);
            const attempt = this.receivers.attempts.pop();
            if (attempt) this.#sent(node, attempt);
            return answer;
          },
          serve: (engine, request, nowMs) => this.#serve(engine, request, nowMs),
          broken: (node, error) => this.#broken(node, error),
        }),
    );
    this.snoozes.clocksAre(this.nodes.map(({ skewMs }) => skewMs));
  }

  get nowMs(): number {
    return this.clock.nowMs();
  }

  note(line: string): void {
    this.trace.push(`${this.nowMs - startMs} ${line}`);
  }

  /** Time goes by; rejects when something has gone wrong meanwhile. */
  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms, () => nextTurn());
    await nextTurn();
    if (this.#failure !== null) throw this.#failure;
  }

  fail(error: unknown): void {
    this.#failure ??= error;
  }

  /** Those that take connections. */
  get open(): readonly SimulatedNode[] {
    return this.nodes.filter(({ process, isStopped, isLeaving }) => process && !isStopped && !isLeaving);
  }

  get leader(): SimulatedNode | null {
    return this.nodes.find((node) => node.isLeader && node.process?.store.mayAct) ?? null;
  }

  start(node: SimulatedNode): void {
    this.note(`start ${node.name}`);
    node.start().catch((error: unknown) => this.fail(error));
  }

  kill(node: SimulatedNode, how: 'process' | 'power', why: string): void {
    if (!node.process) return;
    this.note(`kill ${node.name} ${how} ${why}`);
    node.kill(how);
    for (const ping of this.pings)
      if (ping.node === node.name && ping.outcome === null) ping.outcome = 'lost';
  }

  #broken(node: SimulatedNode, error: unknown): void {
    if (isFenced(error)) this.kill(node, 'process', 'fenced');
    else this.fail(new Error(`${node.name} is broken: ${messageOf(error)}`, { cause: error }));
  }

  #sent(node: SimulatedNode, attempt: Attempt): void {
    const delivery = node.process?.notify.admin.get(attempt.key) ?? null;
    const { key, took, integration, check: about, status } = attempt;
    const { change, checkId = '' } = delivery ?? {};
    this.note(`alert of ${node.name} to ${integration}: ${key} ${checkId} ${change?.to} ${took}`);
    this.alerts.push({ key, took, node: node.name, delivery, atMs: this.nowMs });
    if (took) this.alerting?.took({ integration, about, status });
    if (this.snoozes.isSilent(checkId, this.nowMs))
      this.fail(new Error(`${node.name} sends though ${checkId} is snoozed`));
    this.sending(node);
  }

  newName(): string {
    this.#lastName++;
    return `c${this.#lastName}`;
  }

  /** Asks without waiting. */
  ping(node: SimulatedNode, name: string, action?: PingRequest['action']): AskedPing {
    const { process } = node;
    if (!process) throw new Error(`${node.name} is not running`);
    const check = this.#known(name);
    const ping: AskedPing = {
      number: this.pings.length + 1,
      ...{ check: name, node: node.name, askedMs: this.nowMs, outcome: null, isAtOnce: false },
    };
    this.pings.push(ping);
    const target: PingTarget =
      check.id === null
        ? { by: 'slug', pingKey: this.pingKey, slug: name, create: true }
        : { by: 'uuid', uuid: uuidWords(check.id) };
    this.note(`ping ${ping.number} of ${name} at ${node.name}`);
    const { starts } = node;
    let isAtOnce = true;
    process.acceptPing(
      this.#request(target, ping.number, node.nowMs(), action),
      (outcome) => {
        if (node.starts !== starts) return;
        if (ping.outcome !== null) this.fail(new Error(`ping ${ping.number} was answered twice`));
        ping.isAtOnce = isAtOnce;
        ping.outcome = outcome;
        this.note(`answer ${ping.number}: ${outcome}`);
        if (outcome === 'created') check.created++;
        if (isAcknowledged(outcome)) check.acknowledged++;
      },
      null,
    );
    isAtOnce = false;
    return ping;
  }

  #known(name: string): KnownCheck {
    const known = this.checks.get(name);
    if (known) return known;
    const check = {
      id: null,
      isBySlug: true,
      created: 0,
      deletion: 'none',
      acknowledged: 0,
      seen: 0,
    } as const;
    this.checks.set(name, { ...check });
    return this.#known(name);
  }

  #request(
    target: PingTarget,
    number: number,
    receivedAtMs: number,
    action: PingRequest['action'] = this.random.weighted({ success: 8, start: 1, fail: 1, log: 1 }),
  ): PingRequest {
    const body = bytes.encode(String(number));
    const run = this.runs.ping({ action, exitStatus: null, rid: null, host: '' });
    return {
      ...{ target, error: null, ...run, results: [], method: 'POST' },
      ...{ scheme: 'http', remoteAddr: '192.0.2.1', ua: 'curl/8.5.0' },
      ...{ body, searchable: { via: 'http', body }, receivedAtMs },
    };
  }

  /** Asks without waiting; what it is answered changes what is known. */
  async ask(node: SimulatedNode, operation: Operation): Promise<void> {
    const { starts } = node;
    const known = operation.op === 'create' ? null : this.#byId(operation.id);
    if (operation.op === 'delete' && known?.deletion === 'none') known.deletion = 'asked';
    if (operation.op === 'pause') this.alerting?.paused(operation.id);
    const isSnooze = operation.op === 'snooze' || operation.op === 'unsnooze';
    const snoozed = isSnooze ? this.snoozes.ask(operation, this.nowMs) : null;
    const least = known?.acknowledged ?? 0;
    this.note(`ask ${node.name}: ${JSON.stringify(operation)}`);
    const reply = await node.request(asRequest(operation, node.nowMs()));
    if (node.starts !== starts) return;
    const answer = typeof reply === 'string' ? reply : String(reply.status);
    const said: { id?: string; n?: number } =
      typeof reply === 'string' || reply.status !== 200 ? {} : JSON.parse(textOf(reply.body));
    this.note(`answer ${node.name}: ${JSON.stringify(operation)} ${answer} ${JSON.stringify(said)}`);
    if (answer !== '200') return;
    snoozed?.(this.nowMs);
    if (operation.op === 'create') {
      const check = { isBySlug: false, created: 1, deletion: 'none', acknowledged: 0, seen: 0 } as const;
      this.checks.set(operation.name, { ...check, id: said.id ?? '' });
    } else if (operation.op === 'delete' && known) known.deletion = 'done';
    else if (operation.op === 'read' && known && said.n !== undefined) {
      known.seen = Math.max(known.seen, said.n);
      if (said.n < least && known.deletion === 'none')
        this.fail(new Error(`a read showed ${said.n} pings though ${least} had been acknowledged`));
    }
  }

  #byId(id: string): KnownCheck | null {
    return [...this.checks.values()].find((check) => check.id === id) ?? null;
  }

  async #serve(engine: Engine, request: ForwardedRequest, nowMs: number): Promise<ForwardedReply> {
    const operation: Operation = JSON.parse(textOf(request.body));
    try {
      return await this.#operate(engine, operation, nowMs);
    } catch {
      return { status: 503, headers: [], body: '' };
    }
  }

  async #operate(engine: Engine, operation: Operation, nowMs: number): Promise<ForwardedReply> {
    const { read, change } = engine;
    switch (operation.op) {
      case 'read': {
        const id = asCheckId(operation.id);
        const n = await read.durably(() => read.check(id, nowMs)?.state.nPings ?? null);
        return n === null ? { status: 404, headers: [], body: '' } : reply({ n });
      }
      case 'create': {
        const { name, settings } = operation;
        const [project] = read.projects();
        if (!project) return { status: 404, headers: [], body: '' };
        const channels = read.channels(project.id).map(({ id }) => id);
        const config = { ...defaultConfig, ...settings, name, slug: name, channels };
        return outcome(503, async () => ({ id: (await change.createCheck(project.id, config, nowMs)).id }));
      }
      case 'snooze':
      case 'unsnooze': {
        const { op, untilMs } = operation;
        const id = asCheckId(operation.id);
        return outcome(409, async () => {
          if (op === 'snooze') await change.snoozeCheck(id, { untilMs, by: 'Ada' }, nowMs);
          else await change.unsnoozeCheck(id, nowMs);
          return {};
        });
      }
      case 'pause':
      case 'resume':
      case 'delete': {
        const id = asCheckId(operation.id);
        return outcome(409, async () => {
          await change[`${operation.op}Check`](id, nowMs);
          return {};
        });
      }
    }
  }

  /** By the leader itself, before anything goes wrong. */
  async setUp(integrations: number): Promise<void> {
    const engine = this.leader?.process?.engine;
    if (!engine) throw new Error('no node leads');
    const ready = (async () => {
      const { project, ping } = await engine.change.createProject('p', 'paid', this.nowMs);
      this.project = project.id;
      this.pingKey = ping.clear;
      for (let at = 1; at <= integrations; at++) {
        const integration = { kind: 'webhook', name: `i${at}`, value: webhookValue(`i${at}`) } as const;
        await engine.change.createChannel(
          project.id,
          { ...integration, settings: { ...defaultChannelSettings } },
          this.nowMs,
        );
      }
      for (const collecting of this.alerting?.integrations(webhookValue) ?? [])
        await engine.change.createChannel(project.id, collecting, this.nowMs);
    })();
    ready.catch((error: unknown) => this.fail(error));
    await this.pass(100);
    await ready;
  }
}

export function isAcknowledged(outcome: AskedPing['outcome']): boolean {
  return outcome === 'ok' || outcome === 'created';
}

function webhookValue(name: string, body = '$NAME $STATUS'): string {
  const url = `https://receiver.test/${name}`;
  return JSON.stringify({
    ...{ url_down: url, method_down: 'POST', body_down: body },
    ...{ url_up: url, method_up: 'POST', body_up: body },
  });
}

function reply(content: object): ForwardedReply {
  return { status: 200, headers: [], body: JSON.stringify(content) };
}

function textOf(body: ForwardedReply['body']): string {
  if (typeof body === 'string') return body;
  return Buffer.concat(body instanceof Uint8Array ? [body] : [...body.parts]).toString();
}

function asRequest(operation: Operation, receivedAtMs: number): ForwardedRequest {
  return {
    ...{ method: operation.op === 'read' ? 'GET' : 'POST', path: '/', query: '', apiKey: null, headers: {} },
    ...{ trusted: false, userAgent: '', scheme: 'http', remoteAddr: '192.0.2.1', clientAddr: '192.0.2.1' },
    ...{ body: bytes.encode(JSON.stringify(operation)), bodyCut: false, receivedAtMs },
  };
}

export type { HttpRefusal };

/** `refused`: the status where Knell refuses it. */
async function outcome(refused: number, change: () => Promise<object>): Promise<ForwardedReply> {
  try {
    return reply(await change());
  } catch (error) {
    if (error instanceof KnellError) return { status: refused, headers: [], body: '' };
    throw error;
  }
}
