/** A Knell on a simulated clock, some checks by name, and a chat that gets all of their alerts over a real socket. */
import { expect } from 'vitest';
import type { Incident } from '../../../src/domain/alerting/incident.ts';
import { SimulatedClock } from '../engine/simulated-clock.ts';
import { Knell } from '../knell.ts';
import { HttpReceiver } from '../wire/receivers.ts';

export const minute = 60_000;

export const env = {
  ...{ KNELL_WEBHOOK_ALLOW: '127.0.0.0/8', KNELL_TIME_ZONE: 'UTC' },
  KNELL_METRICS: '127.0.0.1:0',
};

export class AlertTimeline {
  readonly clock: SimulatedClock;
  readonly receiver: HttpReceiver;
  readonly knell: Knell;
  readonly #uuids = new Map<string, string>();

  private constructor(clock: SimulatedClock, receiver: HttpReceiver, knell: Knell) {
    this.clock = clock;
    this.receiver = receiver;
    this.knell = knell;
  }

  /** `more`: variables of its environment. */
  static async start(more: Readonly<Record<string, string>> = {}): Promise<AlertTimeline> {
    const clock = new SimulatedClock(Date.UTC(2026, 2, 2, 2));
    const receiver = await HttpReceiver.start();
    const knell = await Knell.start({ clock, env: { ...env, ...more } });
    const timeline = new AlertTimeline(clock, receiver, knell);
    await timeline.integration('ops', {});
    return timeline;
  }

  async stop(): Promise<void> {
    await this.knell.stop();
    await this.receiver.stop();
  }

  /** Ends Knell and starts it again with the same data. */
  async restart(): Promise<void> {
    await this.knell.restart();
  }

  /** `text`: what it sends, behind which comes ` DOWN` or ` UP`. */
  async integration(
    name: string,
    settings: Readonly<Record<string, unknown>>,
    text = '$SLUG',
  ): Promise<string> {
    const value = JSON.stringify({
      url_down: this.receiver.url(`/${name}`),
      url_up: this.receiver.url(`/${name}`),
      ...{ method_down: 'POST', method_up: 'POST' },
      ...{ body_down: `${text} DOWN`, body_up: `${text} UP`, headers_down: {}, headers_up: {} },
    });
    const args = { project: 'default', kind: 'webhook', name, value, ...settings };
    const created = await this.knell.app.admin({ command: 'channel create', args }, () => {});
    return (created as { id: string }).id;
  }

  async check(name: string, spec: Readonly<Record<string, unknown>>): Promise<{ readonly uuid: string }> {
    const created = await this.knell.create({ name, slug: name, channels: '*', ...spec });
    this.#uuids.set(name, created.uuid);
    return created;
  }

  async ping(name: string, rest = ''): Promise<void> {
    expect((await this.knell.request(`/ping/${this.#uuid(name)}${rest}`)).status).toBe(200);
    // A later state supersedes what was not sent by then.
    await this.advance(0);
  }

  /** All of them at one moment, in no order. */
  async pingAll(names: readonly string[], rest = ''): Promise<void> {
    const paths = names.map((name) => `/ping/${this.#uuid(name)}${rest}`);
    const replies = await Promise.all(paths.map((path) => this.knell.request(path)));
    for (const { status } of replies) expect(status).toBe(200);
    await this.advance(0);
  }

  async edit(name: string, spec: Readonly<Record<string, unknown>>): Promise<void> {
    await this.act(name, '', spec);
    await this.clock.advance(0);
  }

  /** A POST of the management API, and its answer. */
  async act(name: string, action: string, body: unknown = {}): Promise<Readonly<Record<string, unknown>>> {
    const path = `/api/v3/checks/${this.#uuid(name)}${action === '' ? '' : `/${action}`}`;
    const reply = await this.knell.api('POST', path, body);
    expect(reply.status).toBe(200);
    return JSON.parse(reply.text);
  }

  async snooze(name: string, minutes: number): Promise<void> {
    await this.act(name, 'snooze', { until: (this.clock.nowMs() + minutes * minute) / 1000 });
  }

  /** Of the whole project, from now on. */
  async maintenance(minutes: number): Promise<void> {
    const { read, change } = this.knell.app.engine;
    const [project] = read.projects();
    if (!project) throw new Error('no project');
    const nowMs = this.clock.nowMs();
    const scope = { projectId: project.id, checks: [], tags: [] };
    const untilMs = nowMs + minutes * minute;
    await change.startMaintenance({ ...scope, name: 'moving', untilMs }, nowMs);
  }

  async endMaintenance(): Promise<void> {
    const { read, change } = this.knell.app.engine;
    for (const { id } of read.projects())
      for (const window of read.maintenance(id)) await change.endMaintenance(window.id, this.clock.nowMs());
  }

  /** Of all projects, as the engine has them. */
  storedIncidents(): readonly Incident[] {
    const { read } = this.knell.app.engine;
    return read.projects().flatMap(({ id }) => read.incidents(id, Number.MAX_SAFE_INTEGER, 2000));
  }

  /** Each as its stage, its checks that are down, and those that were. */
  incidentStages(): readonly string[] {
    return this.storedIncidents().map(({ stage, checks }) =>
      [stage, ...checks.map(({ name, leftMs }) => (leftMs === 0 ? name : `(${name})`))].join(' '),
    );
  }

  /** The one that is open. */
  async acknowledgeIncident(): Promise<void> {
    const reply = await this.knell.api('GET', '/api/v3/incidents/');
    const { incidents } = JSON.parse(reply.text) as { incidents: { id: string; state: string }[] };
    const open = incidents.find(({ state }) => state === 'open');
    if (!open) throw new Error('no incident is open');
    const { status } = await this.knell.api('POST', `/api/v3/incidents/${open.id}/acknowledge`, {});
    expect(status).toBe(200);
  }

  async remove(name: string): Promise<void> {
    await this.knell.api('DELETE', `/api/v3/checks/${this.#uuid(name)}`);
  }

  /** Who would be notified, as the API says it; or who was, at a moment in the past. */
  alerting(name: string, at: string | null = null): Promise<Readonly<Record<string, unknown>>> {
    const query = at === null ? '' : `?${new URLSearchParams({ at })}`;
    return this.#get(name, `/alerting${query}`);
  }

  async status(name: string): Promise<unknown> {
    return (await this.#get(name, '')).status;
  }

  /** Its log of notifications, as the API has it. */
  async notifications(name: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return (await this.#get(name, '/notifications/')).notifications as Record<string, unknown>[];
  }

  /** Why nobody was notified, as the log of the check says it. Sorted: what happened at one instant has no order there. */
  async held(name: string): Promise<readonly unknown[]> {
    return (await this.notifications(name))
      .filter(({ outcome }) => outcome === 'held')
      .map(({ error }) => error)
      .sort();
  }

  async #get(name: string, rest: string): Promise<Readonly<Record<string, unknown>>> {
    const reply = await this.knell.api('GET', `/api/v3/checks/${this.#uuid(name)}${rest}`);
    expect(reply.status).toBe(200);
    return JSON.parse(reply.text);
  }

  later(minutes: number): Promise<void> {
    return this.advance(minutes * minute);
  }

  async advance(ms: number): Promise<void> {
    await this.clock.advance(ms);
    // An answer is sent when all that it can have seen is durable: then the outbox has what is due.
    await this.knell.api('GET', '/api/v3/checks/?slug=none');
    await expect.poll(() => this.#dueInOutbox()).toBe(0);
  }

  get sent(): readonly string[] {
    return this.receiver.all.map(({ body }) => body);
  }

  sentTo(integration: string): readonly string[] {
    return this.receiver.all.filter(({ path }) => path === `/${integration}`).map(({ body }) => body);
  }

  async until(count: number): Promise<readonly string[]> {
    await this.receiver.until(count);
    return this.sent;
  }

  async #dueInOutbox(): Promise<number> {
    const shown = await this.knell.app.admin({ command: 'outbox list', args: {} }, () => {});
    return (shown as { state: string; next: string }[]).filter(
      ({ state, next }) => state === 'waiting' && next === '',
    ).length;
  }

  #uuid(name: string): string {
    const uuid = this.#uuids.get(name);
    if (uuid === undefined) throw new Error(`no check ${name}`);
    return uuid;
  }
}
