/**
 * What can be asked of Knell, each with what it does to the model: pings and mails, changes by the owner of checks,
 * projects and integrations. Every choice is the world's.
 * Invariant: a request touches the engine as a client does, and nothing else.
 */

import { defaultChannelSettings } from '../../src/domain/accounts/project.ts';
import { type CheckConfig, defaultConfig } from '../../src/domain/check/check.ts';
import type { PingRequest, PingTarget } from '../../src/engine/contract/engine.ts';
import { asRunId } from '../../src/lib/ids.ts';
import type { ReceivedMail } from '../../src/smtp/message.ts';
import { words as uuidWords } from '../support/words.ts';
import { mailDomain } from './knell-process.ts';
import type { Model } from './model.ts';
import type { ModelIntegration } from './model-alerts.ts';
import { ModelCheck } from './model-check.ts';
import { type Meaning, schedules, signalOf } from './model-meaning.ts';
import { type ModelNumber, ruleTexts } from './model-results.ts';
import { askChange } from './snooze-asks.ts';
import type { Asked, World } from './world.ts';

const runIds = [1, 2, 3].map((number) => asRunId(`00000000-0000-4000-8000-00000000000${number}`));
/** Bodies and subjects that say something, and some that do not. */
const words = ['', 'all well', 'job failed', 'job begins', 'job done', 'done, though one failed'];
const seriesLength = 4;
const keywords = { startKw: 'begins', successKw: 'done', failureKw: 'failed' };
const bytes = new TextEncoder();

export class Asks {
  readonly #world: World;
  #lastNumber = 0;

  constructor(world: World) {
    this.#world = world;
  }

  get #checkNames(): readonly string[] {
    return [...this.#world.model.checks.keys()];
  }

  #newName(letter: string): string {
    this.#lastNumber++;
    return letter + this.#lastNumber;
  }

  #anyCheck(): string | null {
    const names = this.#checkNames;
    return names.length === 0 ? null : this.#world.random.pick(names);
  }

  #deletedCheck(): string | null {
    const { random, names, model } = this.#world;
    const deleted = names.checks.filter((name) => !model.checks.has(name));
    return deleted.length === 0 ? null : random.pick(deleted);
  }

  #anyIntegration(): string | null {
    const names = [...this.#world.model.integrations.keys()];
    return names.length === 0 ? null : this.#world.random.pick(names);
  }

  ping(): void {
    const { random } = this.#world;
    const check = random.chance(0.05) ? this.#deletedCheck() : this.#anyCheck();
    if (check !== null && this.#world.numbers?.chance(0.3)) this.#series(check);
    if (check === null || random.chance(0.05)) this.#pingUnknownSlug();
    else if (random.chance(0.2) && this.#world.model.checks.has(check)) this.#pingBySlug(check);
    else this.#pingTarget(check, { by: 'uuid', uuid: uuidWords(this.#world.names.check(check)) }, knownOnly);
  }

  /** Good runs in a row, as a life has too few of by chance: what is usual is learned from them. */
  #series(check: string): void {
    const target = { by: 'uuid', uuid: uuidWords(this.#world.names.check(check)) } as const;
    for (let left = seriesLength; left > 0; left--) this.#pingTarget(check, target, knownOnly, true);
  }

  /** What concerns runs is chosen by a chance of its own: lives without runs are what they were. */
  #action(): Meaning['action'] {
    const { random, runs } = this.#world;
    const action = random.weighted({ success: 6, start: 3, fail: 2, log: 1 });
    return runs?.chance(0.2) ? runs.pick(['warn', 'alive', 'alive'] as const) : action;
  }

  #runSettings(): Partial<CheckConfig> {
    const { runs, numbers } = this.#world;
    if (!runs) return {};
    return {
      results: numbers?.chance(0.7) ? numbers.pick(ruleTexts) : '',
      maxRuntimeS: runs.chance(0.4) ? runs.pick([60, 150, 900]) : 0,
      hosts: runs.chance(0.3) ? runs.pick(['h1', 'h1 h2', 'h2 h3']) : '',
    };
  }

  /** What a job reports, in the address and in its output; with a chance of its own as well. */
  #numbers(): { readonly given: readonly ModelNumber[]; readonly printed: string } {
    const { numbers } = this.#world;
    if (!numbers) return { given: [], printed: '' };
    const given = numbers.chance(0.8) ? [{ name: 'files', value: 30 + numbers.below(12) }] : [];
    const odd = numbers.chance(0.2) ? [{ name: 'files', value: numbers.below(120) }] : given;
    const others = numbers.chance(0.1) ? [{ name: 'spare', value: numbers.below(9) }] : [];
    return {
      given: [...odd, ...others],
      printed: numbers.chance(0.4) ? `\nrows: ${numbers.below(8)}\n` : '',
    };
  }

  #pingKey(project: string): string {
    const { names, knell } = this.#world;
    const keys = knell.engine.read.keys(names.project(project));
    return keys.find(({ scope }) => scope === 'ping')?.clear ?? '';
  }

  #pingBySlug(slug: string): void {
    const project = this.#world.model.checks.get(slug)?.project ?? '';
    const target = { by: 'slug', pingKey: this.#pingKey(project), slug, create: false } as const;
    // A move that was asked for before and is not answered yet takes the check away from this key.
    this.#pingTarget(slug, target, ({ checks, projects }) => {
      if (!projects.has(project)) return 'unknown-key';
      return checks.get(slug)?.project === project ? 'ok' : 'not-found';
    });
  }

  /** Creates the check that it is for. */
  #pingUnknownSlug(): void {
    const { random, model } = this.#world;
    const project = random.pick([...model.projects]);
    const slug = this.#newName('c');
    const target = { by: 'slug', pingKey: this.#pingKey(project), slug, create: true } as const;
    this.#pingTarget(slug, target, (at) => {
      if (!at.projects.has(project)) return 'unknown-key';
      const config = { ...defaultConfig, name: slug, slug };
      const integrations = [...at.integrations].filter(([, one]) => one.project === project);
      at.checks.set(
        slug,
        new ModelCheck(
          project,
          config,
          integrations.map(([name]) => name),
        ),
      );
      return 'created';
    });
  }

  #pingTarget(
    name: string,
    target: PingTarget,
    prepare: (model: Model, name: string) => string,
    isGood = false,
  ): void {
    const { random, nowMs } = this.#world;
    const rid = random.chance(0.5) ? null : random.pick(runIds);
    const { runs } = this.#world;
    const host = runs ? runs.pick(['', 'h1', 'h2', 'h3']) : '';
    const { given, printed } = this.#numbers();
    const body = random.pick(words) + printed;
    const meaning: Meaning = {
      via: 'http',
      action: isGood ? 'success' : this.#action(),
      method: isGood ? 'POST' : random.pick(['GET', 'POST', 'HEAD']),
      exitStatus: !isGood && random.chance(0.2) ? random.pick([0, 1, 255]) : null,
      subject: '',
      body,
    };
    const request: PingRequest = {
      target,
      error: null,
      ...{ action: meaning.action, exitStatus: meaning.exitStatus, method: meaning.method, rid, host },
      results: given,
      ...{ scheme: 'http', remoteAddr: '192.0.2.1', ua: 'curl/8.5.0' },
      body: bytes.encode(body),
      searchable: { via: 'http', body: bytes.encode(body) },
      receivedAtMs: nowMs,
    };
    const { exitStatus } = meaning;
    this.#world.ask(
      `ping ${name} ${meaning.action} ${exitStatus} ${rid?.slice(-1)} ${host}${given.map(({ value }) => ` ${value}`).join('')} by ${target.by}`,
      (model) => {
        const answer = prepare(model, name);
        if (answer === 'not-found') return answer;
        model.step(name, (check) =>
          check.ping(signalOf(check.config, meaning), {
            atMs: nowMs,
            rid,
            host,
            exitStatus,
            body,
            results: given,
          }),
        );
        return answer;
      },
      (answer) =>
        this.#world.knell.engine.acceptPing(
          request,
          (outcome) => {
            if (outcome === 'created') this.#learnBySlug(name);
            answer(outcome);
          },
          null,
        ),
    );
  }

  #learnBySlug(slug: string): void {
    const { knell, names, nowMs } = this.#world;
    for (const { id } of knell.engine.read.projects()) {
      const check = knell.engine.read.oldestCheck(
        id,
        { matches: (config) => config.slug === slug, mentions: [slug] },
        nowMs,
      );
      if (check) names.learn(slug, check.id);
    }
  }

  async mail(): Promise<void> {
    const { random, nowMs, names, model, knell } = this.#world;
    const name = this.#anyCheck();
    if (name === null) return;
    const subject = random.pick(words);
    const text = random.pick(words);
    const raw = `From: job@example.org\r\nSubject: ${subject}\r\n\r\n${text}\r\n`;
    const project = model.checks.get(name)?.project ?? '';
    const isById = random.chance(0.5);
    const local = isById ? names.check(name) : `${this.#pingKey(project).toLowerCase()}+${name}`;
    const meaning: Meaning = {
      ...{ via: 'mail', action: 'success', method: '', exitStatus: null },
      ...{ subject, body: text },
    };
    const mail: ReceivedMail = {
      ...{ sender: 'job@example.org', recipients: [`${local}@${mailDomain}`], remoteAddr: '192.0.2.2' },
      ...{ bytes: bytes.encode(raw), cut: false, receivedAtMs: nowMs },
    };
    await this.#world.askRead(
      `mail ${name}: ${subject}, ${text}`,
      (at) => {
        // A move that was asked for before and is not answered yet takes the check away from this key.
        if (!isById && at.checks.get(name)?.project !== project) return 'not-found';
        const ping = { atMs: nowMs, rid: null, host: '', results: [], exitStatus: null, body: raw };
        const known = at.step(name, (check) => check.ping(signalOf(check.config, meaning), ping));
        return known ? 'ok' : 'not-found';
      },
      (taken, answer) =>
        knell.deliverMail(mail, taken, ({ code }) =>
          answer(code === 250 ? 'ok' : code === 550 ? 'not-found' : 'store-full'),
        ),
    );
  }

  /** As an owner may set it; half of the integrations of the project. */
  #config(name: string, project: string): { config: CheckConfig; integrations: readonly string[] } {
    const { random, model } = this.#world;
    const config: CheckConfig = {
      ...defaultConfig,
      ...{ name, slug: name, desc: random.pick(words) },
      ...{ timeoutS: 60 + random.below(120), graceS: 60 + random.below(60) },
      manualResume: random.chance(0.2),
      methods: random.chance(0.1) ? 'POST' : '',
      ...(random.chance(0.3) ? this.#schedule() : {}),
      ...(random.chance(0.3) ? this.#filters() : {}),
      ...this.#runSettings(),
    };
    const integrations = [...model.integrations]
      .filter((entry) => entry[1].project === project && random.chance(0.5))
      .map(([id]) => id);
    return { config, integrations };
  }

  #schedule(): Partial<CheckConfig> {
    const { kind, schedule, tz } = this.#world.random.pick(schedules);
    return { kind, schedule, tz };
  }

  #filters(): Partial<CheckConfig> {
    const { random } = this.#world;
    return {
      ...keywords,
      filterSubject: random.chance(0.5),
      filterBody: random.chance(0.5),
      filterHttpBody: random.chance(0.5),
      filterDefaultFail: random.chance(0.3),
    };
  }

  #withChannels(config: CheckConfig, integrations: readonly string[]): CheckConfig {
    return { ...config, channels: integrations.map((name) => this.#world.names.channel(name)).sort() };
  }

  createCheck(): void {
    const { random, model, knell, names, nowMs } = this.#world;
    const project = random.pick([...model.projects]);
    const name = this.#newName('c');
    const { config, integrations } = this.#config(name, project);
    this.#change(
      `create ${name} in ${project}`,
      (at) => {
        if (!at.projects.has(project)) return 'not-found';
        const own = integrations.filter((one) => at.integrations.get(one)?.project === project);
        at.checks.set(name, new ModelCheck(project, config, own));
        return 'ok';
      },
      async () => {
        const whole = this.#withChannels(config, integrations);
        const { id } = await knell.engine.change.createCheck(names.project(project), whole, nowMs);
        names.learn(name, id);
      },
    );
  }

  changeCheck(): void {
    const { random, knell, names, nowMs, model } = this.#world;
    const name = this.#anyCheck();
    if (name === null) return;
    const id = names.check(name);
    const { change } = knell.engine;
    const what = random.weighted({ update: 6, pause: 3, resume: 3, delete: 1 });
    const { config, integrations } = this.#config(name, model.checks.get(name)?.project ?? '');
    const run = {
      update: () => change.updateCheck(id, this.#withChannels(config, integrations), nowMs),
      pause: () => change.pauseCheck(id, nowMs),
      resume: () => change.resumeCheck(id, nowMs),
      delete: () => change.deleteCheck(id, nowMs),
    };
    const effect = {
      update: (check: ModelCheck, own: readonly string[]) => check.update(config, own, nowMs),
      pause: (check: ModelCheck) => check.pause(nowMs),
      resume: (check: ModelCheck) => check.resume(nowMs),
      delete: (check: ModelCheck) => check.applyDueDeadlines(nowMs),
    };
    this.#change(
      `${what} ${name}`,
      (at) => {
        if (what === 'resume' && at.checks.has(name) && at.checks.get(name)?.status !== 'paused')
          return 'conflict';
        const project = at.checks.get(name)?.project;
        const own = integrations.filter((one) => at.integrations.get(one)?.project === project);
        if (!at.step(name, (check) => effect[what](check, own))) return 'not-found';
        if (what === 'delete') at.checks.delete(name);
        return 'ok';
      },
      run[what],
    );
  }

  /** Slugs are never used again, so none is taken there. */
  moveCheck(): void {
    const { random, knell, names, nowMs, model } = this.#world;
    const name = this.#anyCheck();
    if (name === null) return;
    const project = random.pick([...model.projects]);
    const channels = random.pick(['all', 'none'] as const);
    const move = { projectId: names.project(project), channels };
    this.#change(
      `move ${name} to ${project} with ${channels}`,
      (at) => {
        const check = at.checks.get(name);
        if (!check || !at.projects.has(project)) return 'not-found';
        const assigned = [...at.integrations]
          .filter((entry) => entry[1].project === project)
          .map(([id]) => id);
        const stays = check.project === project;
        at.step(name, (one) => {
          if (stays) one.applyDueDeadlines(nowMs);
          else one.move(project, channels === 'all' ? assigned : [], nowMs);
        });
        return stays ? 'conflict' : 'ok';
      },
      async () => {
        await knell.engine.change.moveCheck(names.check(name), move, nowMs);
      },
    );
  }

  createProject(): void {
    const { knell, nowMs, names } = this.#world;
    const name = this.#newName('p');
    this.#change(
      `create project ${name}`,
      (at) => {
        at.projects = new Set([...at.projects, name]);
        return 'ok';
      },
      async () => {
        const { project } = await knell.engine.change.createProject(name, 'paid', nowMs);
        names.learn(name, project.id);
      },
    );
  }

  deleteProject(): void {
    const { random, knell, nowMs, names, model } = this.#world;
    const name = random.pick([...model.projects]);
    this.#change(
      `delete project ${name}`,
      (at) => {
        if (!at.projects.has(name)) return 'not-found';
        if (at.projects.size === 1) return 'conflict';
        at.applyDueDeadlines(nowMs);
        at.deleteProject(name);
        return 'ok';
      },
      async () => {
        await knell.engine.change.deleteProject(names.project(name), nowMs);
      },
    );
  }

  createIntegration(): void {
    const { random, knell, nowMs, names, model } = this.#world;
    const project = random.pick([...model.projects]);
    const name = this.#newName('i');
    const integration = this.#integration(project);
    const { acceptsUp, project: _, ...settings } = integration;
    this.#change(
      `create integration ${name} in ${project}`,
      (at) => {
        if (!at.projects.has(project)) return 'not-found';
        at.integrations.set(name, integration);
        return 'ok';
      },
      async () => {
        const channel = await knell.engine.change.createChannel(
          names.project(project),
          {
            kind: 'webhook',
            name,
            value: webhookValue(name, acceptsUp),
            settings: { ...defaultChannelSettings, ...settings },
          },
          nowMs,
        );
        names.learn(name, channel.id);
      },
    );
  }

  #integration(project: string): ModelIntegration {
    const { random } = this.#world;
    return {
      project,
      late: random.chance(0.3),
      disabled: random.chance(0.1),
      acceptsUp: random.chance(0.8),
      delayS: random.chance(0.2) ? 30 : 0,
      repeatS: random.chance(0.2) ? 120 : 0,
    };
  }

  changeIntegration(): void {
    const { random, knell, nowMs, names, model } = this.#world;
    const name = this.#anyIntegration();
    if (name === null) return;
    const id = names.channel(name);
    if (random.chance(0.3)) {
      this.#change(
        `delete integration ${name}`,
        (at) => {
          if (!at.integrations.has(name)) return 'not-found';
          at.applyDueDeadlines(nowMs);
          at.deleteIntegration(name, nowMs);
          return 'ok';
        },
        async () => {
          await knell.engine.change.deleteChannel(id, nowMs);
          return { kind: 'ok' };
        },
      );
      return;
    }
    const { acceptsUp, project, ...settings } = this.#integration(
      model.integrations.get(name)?.project ?? '',
    );
    this.#change(
      `edit integration ${name}`,
      (at) => {
        if (!at.integrations.has(name)) return 'not-found';
        at.applyDueDeadlines(nowMs);
        at.integrations.set(name, { project, acceptsUp, ...settings });
        return 'ok';
      },
      async () => {
        await knell.engine.change.editChannel(id, { value: webhookValue(name, acceptsUp), settings });
      },
    );
  }

  #change(label: string, apply: Asked['apply'], run: () => Promise<unknown>): void {
    askChange(this.#world, label, apply, run);
  }
}

function knownOnly(model: Model, name: string): string {
  return model.checks.has(name) ? 'ok' : 'not-found';
}

function webhookValue(name: string, acceptsUp: boolean): string {
  const url = `https://receiver.test/${name}`;
  const body = '$NAME $STATUS';
  return JSON.stringify({
    ...{ url_down: url, method_down: 'POST', body_down: body },
    ...(acceptsUp ? { url_up: url, method_up: 'POST', body_up: body } : {}),
  });
}
