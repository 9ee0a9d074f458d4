/**
 * What a cluster promises, held against what clients were answered, what receivers got, and what every node has.
 * Invariant: throws at the first promise that is broken, naming it.
 */

import type { Check } from '../../src/domain/check/check.ts';
import type { StatusChange } from '../../src/domain/check/flip.ts';
import type { Ping } from '../../src/domain/check/ping.ts';
import { type Delivery, notificationKindOf } from '../../src/domain/deliveries/delivery.ts';
import { asCheckId, type CheckId } from '../../src/lib/ids.ts';
import { NEVER } from '../../src/lib/units.ts';
import { decodeEntry } from '../../src/store/replicated/envelope.ts';
import { appendsInFlightMax } from '../../src/store/replicated/replicated-log.ts';
import type { NodeProcess, SimulatedNode } from './cluster-node.ts';
import { mustKeepRuns } from './cluster-runs.ts';
import { type AskedPing, type ClusterWorld, isAcknowledged } from './cluster-world.ts';

const pingsMax = 1000;
const incidentsMax = 1000;
/** No deadline has passed at that instant, and nothing is looked at again: a standby decides nothing. */
const undecidedMs = -1;
const utf8 = new TextDecoder();

/** Reads the log as it grows, so that at every moment it is known who leads. */
export class LogAudit {
  readonly #world: ClusterWorld;
  /** So many so far. */
  claims = 0;
  #read = 0;
  #claim = { node: '', seq: 0 };
  #isReleased = true;

  constructor(world: ClusterWorld) {
    this.#world = world;
  }

  /** Of each place of the log, exactly one node is the leader. */
  look(): void {
    const { messages } = this.#world.cluster;
    for (; this.#read < messages.length; this.#read++) {
      const message = messages[this.#read];
      if (message) this.#take(message);
    }
  }

  #take({ seq, bytes }: { readonly seq: number; readonly bytes: Buffer }): void {
    const entry = decodeEntry(bytes, seq);
    if (seq !== this.#read + 1) throw new Error(`entry ${seq} is at place ${this.#read + 1}`);
    if (entry.epoch < this.#claim.seq) {
      if (seq >= this.#claim.seq + appendsInFlightMax)
        throw new Error(`entry ${seq} of epoch ${entry.epoch} is behind the claim ${this.#claim.seq}`);
      return;
    }
    if (entry.kind === 'claim') {
      this.#world.note(`${entry.node} claims ${seq}`);
      this.claims++;
      this.#claim = { node: entry.node, seq };
      this.#isReleased = false;
      return;
    }
    if (entry.epoch !== this.#claim.seq || entry.node !== this.#claim.node)
      throw new Error(`entry ${seq} is of ${entry.node}, the log is of ${this.#claim.node}`);
    if (this.#isReleased) throw new Error(`entry ${seq} is behind a release`);
    if (entry.kind === 'batch' && seq < this.#claim.seq + appendsInFlightMax)
      throw new Error(`batch ${seq} is among the entries of the claim ${this.#claim.seq}`);
    if (entry.kind === 'release') this.#isReleased = true;
  }

  /** `node` does what only a leader may. */
  acts(node: SimulatedNode): void {
    this.look();
    if (this.#isReleased || this.#claim.node !== node.name)
      throw new Error(`${node.name} sends though the log is of ${this.#claim.node} since ${this.#claim.seq}`);
  }
}

/** Never two that are certain of it. */
export function mustBeOneOwner(world: ClusterWorld): void {
  const leaders = world.nodes.filter(
    ({ isLeader, isStopped, process }) => isLeader && !isStopped && process?.store.mayAct,
  );
  if (leaders.length > 1)
    throw new Error(`${leaders.map(({ name }) => name).join(' and ')} are both certain to lead`);
}

/** Everything is well for some time: every node follows, and nothing waits. */
export function mustBeSettled(world: ClusterWorld): void {
  const leaders = world.nodes.filter(({ isLeader }) => isLeader);
  const [leader] = leaders;
  if (leaders.length !== 1 || !leader?.process) throw new Error(`${leaders.length} nodes lead`);
  const facts = factsOf(world, leader.process);
  for (const node of world.nodes) {
    if (!node.process) throw new Error(`${node.name} is not running`);
    const { journal } = node.process.member;
    if (journal?.trouble) throw new Error(`${node.name} does not follow: ${journal.trouble}`);
    const own = factsOf(world, node.process);
    for (const [what, text] of facts)
      if (own.get(what) !== text)
        throw new Error(`${what} at ${node.name}:\n  ${own.get(what)}\nat ${leader.name}:\n  ${text}`);
    if (own.size !== facts.size) throw new Error(`${node.name} has ${own.size} facts, not ${facts.size}`);
  }
  for (const ping of world.pings) if (ping.outcome === null) throw new Error(`${shown(ping)} still waits`);
  mustHaveRecorded(world, leader.process);
  if (!world.alerting) mustHaveAlerted(world, leader.process);
}

/** Registry and history, by name, without what only a leader derives. */
function factsOf(world: ClusterWorld, { engine, store }: NodeProcess): ReadonlyMap<string, string> {
  const { read } = engine;
  const facts = new Map<string, string>();
  for (const project of read.projects()) {
    // Those of one instant have no order of their own.
    const keys = read.keys(project.id).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    facts.set(`project ${project.name}`, inOrder([project, keys]));
    const down = [...read.checksDown(project.id).checks].map(({ id }) => id).sort();
    facts.set(`down in ${project.name}`, JSON.stringify([read.checkCount(project.id), down]));
    const incidents = read
      .incidents(project.id, NEVER, incidentsMax)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
    facts.set(`incidents in ${project.name}`, inOrder(incidents));
    for (const channel of read.channels(project.id))
      facts.set(`integration ${channel.name}`, inOrder(channel));
    for (const check of read.checks(project.id, undecidedMs)) {
      const { expectedAtMs: _, downAtMs: __, ...state } = check.state;
      facts.set(`check ${check.config.name}`, inOrder({ ...check, state }));
      facts.set(`history of ${check.config.name}`, historyOf(store, check.id));
    }
  }
  if (!world.project) throw new Error('there is no project');
  return facts;
}

/** Whatever the order of its fields. */
function inOrder(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

function historyOf(store: NodeProcess['store'], id: CheckId): string {
  const always = { fromMs: 0, untilMs: NEVER };
  const pings = store.pings(id, pingsMax).map((ping) => [ping, bodyOf(store, id, ping)]);
  const endings = store.runEndings(id, always, pingsMax);
  // Those of one instant have no order of their own.
  const sent = store
    .notifications(id, always, pingsMax)
    .toSorted((a, b) => b.atMs - a.atMs || (a.deliveryId < b.deliveryId ? -1 : 1));
  return JSON.stringify([pings, store.changes(id, always), sent, endings]);
}

function bodyOf(store: NodeProcess['store'], id: CheckId, { n }: Ping): string {
  return utf8.decode(store.body(id, n) ?? new Uint8Array(0));
}

/** Acknowledged is recorded, refused is not, nothing is twice, and numbers have no gap. */
function mustHaveRecorded(world: ClusterWorld, { engine, store }: NodeProcess): void {
  const recorded = new Map<number, string>();
  const names = new Map<string, number>();
  const { read } = engine;
  for (const project of read.projects())
    for (const check of read.checks(project.id, undecidedMs)) {
      const { id, config, state } = check;
      names.set(config.name, (names.get(config.name) ?? 0) + 1);
      const pings = store.pings(id, pingsMax);
      if (pings.length !== state.nPings || pings.some(({ n }, at) => n !== state.nPings - at))
        throw new Error(`${config.name} has ${state.nPings} pings: ${pings.map(({ n }) => n)}`);
      for (const ping of pings) {
        const number = Number(bodyOf(store, id, ping));
        if (recorded.has(number)) throw new Error(`ping ${number} is recorded twice`);
        recorded.set(number, config.name);
      }
      mustKeepRuns(check, pings, store.runEndings(id, { fromMs: 0, untilMs: NEVER }, pingsMax));
      const { seen = 0 } = world.checks.get(config.name) ?? {};
      if (seen > state.nPings) throw new Error(`${config.name} was shown with ${seen}, has ${state.nPings}`);
    }
  for (const [name, check] of world.checks) {
    const found = names.get(name) ?? 0;
    if (found > 1) throw new Error(`there are ${found} checks called ${name}`);
    if (check.created > 1) throw new Error(`${name} was created ${check.created} times`);
    if (found === 1 && check.deletion === 'done') throw new Error(`${name} was deleted`);
    const isThere = check.created > 0 || check.acknowledged > 0;
    if (found === 0 && isThere && check.deletion === 'none') throw new Error(`${name} is lost`);
  }
  for (const ping of world.pings) mustBeAsAnswered(world, ping, recorded);
}

function mustBeAsAnswered(world: ClusterWorld, ping: AskedPing, recorded: ReadonlyMap<number, string>): void {
  const isDeleted = world.checks.get(ping.check)?.deletion !== 'none';
  const isRecorded = recorded.get(ping.number) === ping.check;
  if (isAcknowledged(ping.outcome) && !isRecorded && !isDeleted) throw new Error(`${shown(ping)} is lost`);
  const isRefused =
    ping.outcome === 'not-found' ||
    ping.outcome === 'store-full' ||
    ping.outcome === 'log-silent' ||
    (ping.outcome === 'unavailable' && ping.isAtOnce);
  if (isRefused && recorded.has(ping.number)) throw new Error(`${shown(ping)} is recorded`);
}

/** Every change that asks for it was sent or superseded, under one key; nothing was sent that is not in the history. */
function mustHaveAlerted(world: ClusterWorld, { engine, store, notify }: NodeProcess): void {
  const outbox = [...notify.admin.all()];
  const keys = new Map<string, string>();
  const took = new Set<string>();
  for (const { key, delivery, took: isTaken } of world.alerts) {
    if (!delivery) throw new Error(`an alert that the outbox does not know: ${key}`);
    const what = subjectOf(delivery);
    const known = keys.get(key) ?? what;
    if (known !== what) throw new Error(`the key ${key} is of ${known} and of ${what}`);
    keys.set(key, what);
    if (isTaken) took.add(key);
  }
  const taken = new Set([...took].map((key) => keys.get(key)));
  const ended = new Set(outbox.filter(({ state }) => state === 'superseded').map(subjectOf));
  /** How many changes: a check may go up, down and up again within a millisecond. */
  const real = new Map<string, number>();
  for (const [name, { id: known, deletion }] of world.checks) {
    if (deletion !== 'none') continue;
    const check = checkCalled(engine, name);
    if (!check || (known !== null && check.id !== known)) continue;
    const changes = store.changes(check.id, { fromMs: 0, untilMs: NEVER });
    mustHaveEndedSnoozes(world, check, { changes, outbox });
    for (const change of changes) {
      for (const channelId of check.config.channels) {
        const what = subjectOf({ checkId: check.id, channelId, change });
        real.set(what, (real.get(what) ?? 0) + 1);
        const kind = notificationKindOf(change);
        const isKeptBack = world.snoozes.mayKeepBack(check.id, change);
        if ((kind === 'down' || kind === 'up') && !taken.has(what) && !ended.has(what) && !isKeptBack)
          throw new Error(`nobody was notified of ${name} ${what}`);
      }
    }
    for (const what of keys.values())
      if (what.startsWith(check.id) && !real.has(what))
        throw new Error(`notified of what is not so: ${what}`);
  }
  mustBeDistinct(world, keys, real);
  // That a deleted check came up waits for the end of its snooze, and is not looked at sooner.
  const mayWait = ({ checkId, change }: Delivery): boolean =>
    notificationKindOf(change) !== 'down' &&
    world.snoozes.endsMax(checkId) > 0 &&
    !engine.read.check(checkId, undecidedMs);
  const waiting = outbox.find((delivery) => delivery.state === 'waiting' && !mayWait(delivery));
  if (waiting) throw new Error(`a delivery waits: ${JSON.stringify(waiting)}`);
}

/** Where a check was down when its snooze ended, that was notified then, as of that instant, whichever node led. */
function mustHaveEndedSnoozes(
  world: ClusterWorld,
  { id, config }: Check,
  { changes, outbox }: { readonly changes: readonly StatusChange[]; readonly outbox: readonly Delivery[] },
): void {
  const took = world.alerts.filter((alert) => alert.took).map(({ delivery }) => delivery);
  const over = [...took, ...outbox.filter(({ state }) => state === 'superseded')];
  for (const [change, endMs] of world.snoozes.due(id, changes))
    for (const channelId of config.channels) {
      const about = subjectOf({ checkId: id, channelId, change });
      if (!over.some((one) => one && one.sinceMs === endMs && subjectOf(one) === about))
        throw new Error(`nobody was notified of ${about} when the snooze ended at ${endMs}`);
    }
}

/** One key for each change, and for each end of a snooze. */
function mustBeDistinct(
  { snoozes }: ClusterWorld,
  keys: ReadonlyMap<string, string>,
  changes: ReadonlyMap<string, number>,
): void {
  const keysOf = new Map<string, string[]>();
  for (const [key, what] of keys) keysOf.set(what, [...(keysOf.get(what) ?? []), key]);
  for (const [what, its] of keysOf) {
    // Of a check that is gone, nobody knows how often it changed at that instant.
    const times = changes.get(what);
    if (times !== undefined && its.length > times + snoozes.endsMax(what.split(' ')[0] ?? ''))
      throw new Error(`${what} has the keys ${its.join(' and ')}`);
  }
}

function checkCalled({ read }: NodeProcess['engine'], name: string) {
  for (const project of read.projects())
    for (const check of read.checks(project.id, undecidedMs)) if (check.config.name === name) return check;
  return null;
}

function subjectOf({
  checkId,
  channelId,
  change,
}: Pick<Delivery, 'checkId' | 'channelId' | 'change'>): string {
  return `${asCheckId(checkId)} ${channelId} ${change.atMs} ${change.from} ${change.to}`;
}

function shown({ number, check, node, outcome }: AskedPing): string {
  return `ping ${number} of ${check}, asked for at ${node} and answered ${outcome},`;
}
