/**
 * A random life of checks whose settings hold alerts back, on a simulated clock and disk, with kills and power cuts in between. It has
 * no second copy of the rules: after each step it holds what follows from the golden ones. Whatever keeps alerts back, in the end each
 * integration was sent last what its check is; nothing is sent while something holds it back; what was sent has its end; each time
 * that something is held is in the log; and what was said beforehand of who would be notified is what happens.
 * Invariant: rejects at the first that is broken, with the seed and the last of what happened.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Check } from '../../src/domain/check/check.ts';
import { asMaintenanceId, type ChannelId, type CheckId, type ProjectId } from '../../src/lib/ids.ts';
import { minute, second } from '../../src/lib/units.ts';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import {
  alertingNames,
  anyAlertingConfig,
  collectingChannels,
  pingOf,
  quietWindow,
  settingsOf,
} from './alerting-settings.ts';
import { type KnellStart, type RunningKnell, startKnell } from './knell-process.ts';
import { Random, simulatedIds } from './random.ts';
import { type Attempt, Receivers } from './receivers.ts';
import { mustBeLogged, SentLate } from './sent-late.ts';
import { auditIncidents, SentOfIncidents } from './sent-of-incidents.ts';
import { SimulatedStorage } from './storage.ts';

const startMs = Date.UTC(2026, 4, 4, 4);
const names = alertingNames;
const traceLinesShown = 40;
const settleMs = 3 * second;

export async function liveAlerting(seed: number, steps = 60): Promise<readonly string[]> {
  const life = new AlertingLife(seed);
  try {
    await life.begin();
    for (let step = 0; step < steps; step++) await life.step();
    await life.finish();
    return life.trace;
  } catch (error) {
    const last = life.trace.slice(-traceLinesShown).join('\n');
    const what = error instanceof Error ? error.stack : String(error);
    throw new Error(`seed ${seed}: ${what}\n\nwhat happened last:\n${last}`, { cause: error });
  }
}

class AlertingLife {
  readonly trace: string[] = [];
  readonly #random: Random;
  readonly #clock = new SimulatedClock(startMs);
  readonly #storage: SimulatedStorage;
  readonly #receivers: Receivers;
  readonly #ids: ReturnType<typeof simulatedIds>;
  #start: KnellStart | null = null;
  #knell: RunningKnell | null = null;
  #starts = 0;
  #project: ProjectId | null = null;
  readonly #checks = new Map<string, CheckId>();
  /** What the integration was sent last of each check; `paused`: that it is down, before it was paused. */
  readonly #sent = new Map<string, string>();
  /** What is sent of incidents as a whole. */
  readonly #together = new SentOfIncidents();
  readonly #late = new SentLate();
  readonly #keys = new Set<string>();
  /** An error thrown where it came would be a failed attempt. */
  #wrong: string | null = null;

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.#storage = new SimulatedStorage(seed ^ 0xd15c, this.#clock);
    this.#receivers = new Receivers(new Random(seed ^ 0x4ec));
    this.#ids = simulatedIds(new Random(seed ^ 0x1d5));
    this.#receivers.came = (attempt) => this.#came(attempt);
  }

  get #nowMs(): number {
    return this.#clock.nowMs();
  }

  get #running(): RunningKnell {
    if (!this.#knell) throw new Error('Knell is not running');
    return this.#knell;
  }

  #note(line: string): void {
    this.trace.push(`${this.#nowMs - startMs} ${line}`);
  }

  /** Nothing may be sent that a check goes down while its alerts are held back. */
  #came({ check: name, status, integration, key }: Attempt): void {
    // After a crash it is sent again, with the same key.
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    this.#note(`sent ${integration} ${name} ${status}`);
    if (integration !== 'all') {
      const ofLate = () => this.#late.came(name, status, this.#moment(name));
      const error = integration === 'late' ? ofLate() : this.#together.came(integration, name, status);
      if (error !== '') this.#wrong ??= error;
      return;
    }
    const check = this.#check(name);
    if (status === 'down' && (check.snooze || check.hold))
      this.#wrong ??= `${name} is held back (${check.hold?.reason ?? 'snooze'}), and was sent`;
    if (status === 'up' && !['down', 'paused'].includes(this.#sent.get(name) ?? ''))
      this.#wrong ??= `${name} was sent to be up, and not to be down before`;
    this.#sent.set(name, status);
  }

  async begin(): Promise<void> {
    await this.#open();
    const { change } = this.#running.engine;
    const project = await this.#done(change.createProject('p', 'paid', this.#nowMs));
    this.#project = project.project.id;
    const address = 'https://hooks.test/all';
    const value = JSON.stringify({
      ...{ url_down: address, url_up: address, method_down: 'POST', method_up: 'POST' },
      ...{ body_down: '$NAME down', body_up: '$NAME up', headers_down: {}, headers_up: {} },
    });
    const hook = { kind: 'webhook', name: 'all', value } as const;
    const channel = await this.#done(change.createChannel(this.#project, hook, this.#nowMs));
    const channels = [channel.id, ...(await this.#collecting(this.#project))];
    for (const name of names) {
      const config = anyAlertingConfig(this.#random, name, channels);
      const check = await this.#done(change.createCheck(this.#project, config, this.#nowMs));
      this.#checks.set(name, check.id);
      this.#note(`create ${name} ${settingsOf(config)}`);
    }
  }

  async #collecting(projectId: ProjectId): Promise<readonly ChannelId[]> {
    const { change } = this.#running.engine;
    const made: ChannelId[] = [];
    for (const channel of collectingChannels(this.#random)) {
      made.push((await this.#done(change.createChannel(projectId, channel, this.#nowMs))).id);
      this.#note(`integration ${channel.name} ${channel.value} ${JSON.stringify(channel.settings)}`);
    }
    return made;
  }

  async #open(): Promise<void> {
    this.#starts++;
    this.#start = startKnell(
      {
        openStore: () =>
          this.#storage.open((error) => {
            throw error;
          }),
        clock: this.#clock,
        receivers: this.#receivers,
        ids: this.#ids,
        chance: new Random(this.#starts),
        outageCredit: false,
        number: this.#starts,
      },
      () => {},
    );
    this.#knell = await this.#done(this.#start.running);
  }

  /** Lets time go by until it is done. */
  async #done<T>(promise: Promise<T>): Promise<T> {
    let isOver = false;
    const over = (): void => {
      isOver = true;
    };
    promise.then(over, over);
    for (let turns = 0; !isOver && turns < 5_000; turns++) {
      await nextTurn();
      if (turns % 10 === 9) await this.#clock.advance(10, nextTurn);
    }
    if (!isOver) throw new Error('it does not come to an end');
    return promise;
  }

  #check(name: string): Check {
    const id = this.#checks.get(name);
    const check = id === undefined ? null : this.#running.engine.read.check(id, this.#nowMs);
    if (!check) throw new Error(`no check ${name}`);
    return check;
  }

  #moment(name: string) {
    return { read: this.#running.engine.read, check: this.#check(name), nowMs: this.#nowMs };
  }

  async #pass(ms: number): Promise<void> {
    await this.#clock.advance(ms, nextTurn);
    await nextTurn();
  }

  async #settle(): Promise<void> {
    await this.#pass(settleMs);
    for (let round = 0; round < 50; round++) await nextTurn();
  }

  async step(): Promise<void> {
    const random = this.#random;
    const weights = {
      ...{ ping: 50, pass: 25, snooze: 6, maintenance: 8, edit: 6, pause: 3, restart: 4, fold: 2 },
      ...{ acknowledge: 4, quiet: 3 },
    };
    const name = random.pick(names);
    const spans = [second, minute, 5 * minute, 12 * minute, 30 * minute];
    const steps: { readonly [What in keyof typeof weights]: () => Promise<unknown> } = {
      ping: () => this.#ping(name, random.chance(0.5) ? 'fail' : 'success'),
      pass: () => this.#pass(random.pick(spans)),
      snooze: () => this.#snooze(name),
      maintenance: () => this.#maintenance(),
      acknowledge: () => this.#acknowledge(name),
      quiet: () => this.#quiet(),
      edit: () => this.#edit(name),
      pause: () => this.#pause(name),
      restart: () => this.#restart(),
      fold: () => this.#done(this.#running.store.folded()),
    };
    await steps[random.weighted(weights)]();
    await this.#settle();
    this.#audit();
  }

  async #ping(name: string, action: 'success' | 'fail'): Promise<void> {
    const before = this.#check(name);
    const { engine } = this.#running;
    const isAlert = action === 'fail' && ['up', 'new', 'grace'].includes(before.state.status);
    const said = isAlert && !before.hold ? engine.read.whoIsNotified(before, this.#nowMs) : null;
    this.#note(`ping ${name} ${action}`);
    const request = pingOf(before, action, this.#nowMs);
    const alerts = this.trace.length;
    const answered = new Promise<string>((resolve) => engine.acceptPing(request, resolve, null));
    if ((await this.#done(answered)) !== 'ok') throw new Error('a ping was refused');
    const after = this.#check(name);
    if (said === null) return;
    if ((said.held === null) !== (after.hold === undefined && after.snooze === undefined))
      throw new Error(`said: ${said.text}, and ${name} is held by ${after.hold?.reason ?? 'nothing'}`);
    if (said.held !== null) return;
    await this.#settle();
    if (!this.trace.slice(alerts).some((line) => line.endsWith(`sent all ${name} down`)))
      throw new Error(`said: ${said.text}, and nobody was`);
  }

  async #snooze(name: string): Promise<void> {
    const { change } = this.#running.engine;
    const { id, snooze } = this.#check(name);
    this.#note(`${snooze ? 'unsnooze' : 'snooze'} ${name}`);
    const untilMs = this.#nowMs + this.#random.pick([2, 20]) * minute;
    if (snooze) await this.#done(change.unsnoozeCheck(id, this.#nowMs));
    else await this.#done(change.snoozeCheck(id, { untilMs, by: 'Ada' }, this.#nowMs));
  }

  async #maintenance(): Promise<void> {
    const { change, read } = this.#running.engine;
    const projectId = this.#project;
    if (projectId === null) return;
    const isOn = read
      .maintenance(projectId)
      .some(({ fromMs, untilMs }) => fromMs <= this.#nowMs && this.#nowMs < untilMs);
    if (isOn && this.#random.chance(0.5)) {
      this.#note('end maintenance');
      for (const { id } of read.maintenance(projectId))
        await this.#done(change.endMaintenance(id, this.#nowMs).catch(() => null));
      return;
    }
    const tags = this.#random.pick([[], ['x']]);
    const untilMs = this.#nowMs + this.#random.pick([3, 15]) * minute;
    this.#note(`maintenance ${tags.join(' ')} until ${untilMs - startMs}`);
    const asked = { projectId, checks: [], tags, name: 'm', untilMs };
    await this.#done(change.startMaintenance(asked, this.#nowMs));
  }

  async #acknowledge(name: string): Promise<void> {
    const { change } = this.#running.engine;
    const { id, state, acknowledgement } = this.#check(name);
    if (state.status !== 'down') return;
    this.#note(`${acknowledgement ? 'un' : ''}acknowledge ${name}`);
    await this.#done(
      acknowledgement
        ? change.unacknowledgeCheck(id, this.#nowMs)
        : change.acknowledgeCheck(id, 'Ada', this.#nowMs),
    );
  }

  /** Quiet hours of those that are sent incidents. */
  async #quiet(): Promise<void> {
    const { change, read } = this.#running.engine;
    const projectId = this.#project;
    if (projectId === null) return;
    const integrations = read.channels(projectId).flatMap(({ id, name }) => (name === 'all' ? [] : [id]));
    const untilMs = this.#nowMs + this.#random.pick([3, 15]) * minute;
    this.#note(`quiet until ${untilMs - startMs}`);
    const chosen = this.#random.chance(0.5) ? integrations : integrations.slice(1);
    const id = asMaintenanceId(this.#ids.newUuid());
    const times = { fromMs: this.#nowMs, untilMs };
    const window = { ...quietWindow(chosen, times), id, projectId };
    await this.#done(
      change.putMaintenance({ ...window, createdAtMs: this.#nowMs }, this.#nowMs).catch(() => null),
    );
  }

  async #edit(name: string): Promise<void> {
    const { id, config } = this.#check(name);
    const other = anyAlertingConfig(this.#random, name, config.channels);
    this.#note(`edit ${name} ${settingsOf(other)}`);
    await this.#done(this.#running.engine.change.updateCheck(id, other, this.#nowMs));
  }

  /** Of an outage before, nobody is notified of the end: that is what pausing means. What they know of it then is either. */
  async #pause(name: string): Promise<void> {
    this.#note(`pause ${name}`);
    await this.#done(this.#running.engine.change.pauseCheck(this.#check(name).id, this.#nowMs));
    // What waited to be sent is looked at within that time, and is of no use any more.
    await this.#pass(6 * minute);
    await this.#settle();
    if (this.#sent.get(name) === 'down') this.#sent.set(name, 'paused');
    this.#together.paused();
    this.#late.paused(name);
  }

  async #restart(): Promise<void> {
    const isCut = this.#random.chance(0.5);
    this.#note(isCut ? 'crash' : 'stop');
    if (isCut) {
      // Something may be on its way to the disk: nobody waits for it.
      const name = this.#random.pick(names);
      const { id } = this.#check(name);
      this.#running.engine.change
        .snoozeCheck(id, { untilMs: this.#nowMs + minute, by: 'Ada' }, this.#nowMs)
        .catch(() => {});
    } else {
      await this.#done(this.#running.engine.stop());
      await this.#done(this.#running.notify.stop());
      await this.#done(this.#running.store.close());
    }
    this.#start?.kill();
    this.#knell = null;
    if (isCut) this.#storage.crash();
    this.#clock.skip(this.#random.pick([second, 5 * minute]));
    await this.#open();
  }

  /** What holds at every moment at which nothing is on its way. */
  #audit(): void {
    if (this.#wrong !== null) throw new Error(this.#wrong);
    if (this.#project !== null)
      auditIncidents(this.#running.engine.read, this.#project, this.#nowMs, (id) =>
        this.#together.sentOf('team', id),
      );
    for (const name of names) {
      const check = this.#check(name);
      this.#late.audit(name, this.#moment(name));
      const { hold, snooze, state } = check;
      const sent = this.#sent.get(name);
      const incident = this.#running.engine.read.incidentOf(check.id);
      if (hold && snooze) throw new Error(`${name} has a hold and a snooze`);
      if (hold && hold.untilMs <= this.#nowMs)
        throw new Error(`the hold of ${name} is over, and still there`);
      if (hold) {
        mustBeLogged(this.#running.engine.read, name, check);
        continue;
      }
      if (snooze) continue;
      if (state.status === 'down' && sent !== 'down' && sent !== 'paused')
        throw new Error(`${name} is down, and nobody knows`);
      if (state.status === 'up' && sent === 'down') throw new Error(`${name} is up, and nobody knows`);
      if (state.status === 'down' && !incident) throw new Error(`${name} is down without an incident`);
      if (state.status === 'up' && incident) throw new Error(`${name} is up in an incident`);
    }
  }

  /** All is well again: then everybody knows. */
  async finish(): Promise<void> {
    const { change, read } = this.#running.engine;
    for (const name of names) {
      const { id, snooze } = this.#check(name);
      if (snooze) await this.#done(change.unsnoozeCheck(id, this.#nowMs));
    }
    if (this.#project !== null)
      for (const { id } of read.maintenance(this.#project))
        await this.#done(change.endMaintenance(id, this.#nowMs).catch(() => null));
    // What is down is sent first: a success before that would supersede it, and only the end would be sent.
    await this.#settle();
    for (let round = 0; round < 3; round++) {
      for (const name of names) await this.#ping(name, 'success');
      await this.#pass(5 * minute);
    }
    for (let round = 0; round < 3; round++) {
      for (const name of names) await this.#ping(name, 'success');
      await this.#pass(8 * minute);
    }
    await this.#settle();
    this.#audit();
    for (const name of names) {
      const { hold, state } = this.#check(name);
      if (hold || state.status !== 'up')
        throw new Error(`${name} is ${state.status}, held by ${hold?.reason}`);
      if (this.#sent.get(name) === 'down') throw new Error(`${name} is up at the end, and nobody knows`);
    }
    this.#together.mustBeOver();
    this.#late.mustBeOver();
  }
}
