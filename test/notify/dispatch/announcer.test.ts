/** Who is notified that Knell has disabled an integration, how often, and what a crash leaves. */
import { expect, test } from 'vitest';
import {
  type Channel,
  type ChannelKind,
  type ChannelSettings,
  defaultChannelSettings,
  settingsOf,
} from '../../../src/domain/accounts/project.ts';
import { asChannelId, asProjectId } from '../../../src/lib/ids.ts';
import { silentLogger } from '../../../src/lib/logger.ts';
import { second } from '../../../src/lib/units.ts';
import { limits } from '../../../src/limits.ts';
import type { Announcement, Outcome } from '../../../src/notify/contract/channel.ts';
import { Announcer } from '../../../src/notify/dispatch/announcer.ts';
import { channelValues, noticeOf } from '../../support/engine/notices.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { uuidOf } from '../../support/store/store-facts.ts';

const project = (number: number) => asProjectId(uuidOf(0xaa, number));
const dead: Partial<ChannelSettings> = {
  disabled: true,
  disabledReason: 'it is gone for good (status 410)',
  announcePending: true,
};

class Scene {
  readonly clock = new SimulatedClock(Date.UTC(2024, 5, 15));
  readonly channels = new Map<string, Channel>();
  readonly sent: { readonly to: string; readonly announcement: Announcement }[] = [];
  answer: (nth: number) => Outcome = () => ({ kind: 'delivered' });
  announcer = this.#create();

  #create(): Announcer {
    return new Announcer({
      reads: {
        channels: (id) => [...this.channels.values()].filter((one) => id === null || one.projectId === id),
        editChannel: async (id, { settings }) => {
          const channel = this.channels.get(id);
          if (channel)
            this.channels.set(id, { ...channel, settings: { ...settingsOf(channel), ...settings } });
        },
      },
      notice: (announcement, channel) => ({
        ...noticeOf('slack', 'down'),
        test: true,
        announcement,
        channel,
      }),
      send: async ({ announcement, channel }) => {
        if (announcement) this.sent.push({ to: channel.name, announcement });
        return this.answer(this.sent.length);
      },
      clock: this.clock,
      logger: silentLogger,
      limits: limits.notify.announcer,
      retry: limits.notify.dispatch.retry,
      chance: () => 0.5,
    });
  }

  add(name: string, kind: ChannelKind, settings: Partial<ChannelSettings> = {}, inProject = 1): Channel {
    const id = asChannelId(uuidOf(0xcc, this.channels.size + 1));
    const channel: Channel = {
      ...noticeOf(kind, 'down').channel,
      ...{ id, name, value: channelValues[kind], projectId: project(inProject) },
      settings: { ...defaultChannelSettings, ...settings },
    };
    this.channels.set(id, channel);
    return channel;
  }

  /** Lets everything that is due by then happen. */
  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms);
    for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
  }

  crash(): void {
    this.announcer.stop();
    this.announcer = this.#create();
  }

  get pending(): readonly string[] {
    const pending = [...this.channels.values()].filter((channel) => settingsOf(channel).announcePending);
    return pending.map(({ name }) => name);
  }
}

test('the other messengers of its project get one message', async () => {
  const scene = new Scene();
  const ops = scene.add('ops', 'slack', dead);
  scene.add('mail', 'email');
  scene.add('chat', 'discord');
  scene.add('off', 'discord', { disabled: true });
  scene.add('new address', 'email', { unverified: true });
  const quiet = scene.add('quiet', 'ntfy');
  scene.channels.set(quiet.id, { ...quiet, value: '{"topic":"a","url":"https://ntfy.sh","priority":0}' });
  scene.add('pager', 'pd');
  scene.add('hook', 'webhook');
  scene.add('elsewhere', 'discord', {}, 2);
  scene.announcer.disabled(ops);
  await scene.pass(limits.notify.announcer.gatherMs);
  expect(scene.sent.map(({ to }) => to)).toEqual(['mail', 'chat']);
  expect(scene.sent[0]?.announcement).toEqual({
    title: 'Integration "ops" (Slack) was disabled',
    text: '"ops" (Slack): it is gone for good (status 410).\nChecks that used nothing else notify nobody now. Fix the cause, then enable it again.',
  });
  expect(scene.pending).toEqual([]);
});

test('a project without a messenger has its incident services notified, and never a webhook or a command', async () => {
  const scene = new Scene();
  scene.announcer.disabled(scene.add('ops', 'slack', dead));
  for (const kind of ['pd', 'webhook', 'shell', 'call', 'alertmanager'] as const) scene.add(kind, kind);
  await scene.pass(limits.notify.announcer.gatherMs);
  expect(scene.sent.map(({ to }) => to)).toEqual(['pd']);
});

test('integrations that end together are one message, of at most ten names', async () => {
  const scene = new Scene();
  scene.add('mail', 'email');
  for (let number = 1; number <= 12; number++)
    scene.announcer.disabled(scene.add(`hook ${number}`, 'slack', dead));
  await scene.pass(limits.notify.announcer.gatherMs);
  expect(scene.sent).toHaveLength(1);
  const { title = '', text = '' } = scene.sent[0]?.announcement ?? {};
  expect(title).toBe('12 integrations were disabled');
  expect(text.split('\n')).toHaveLength(12);
  expect(text).toContain('And 2 more.');
});

test('what was not announced when Knell ended is announced by the next start, and then no more', async () => {
  const scene = new Scene();
  scene.announcer.disabled(scene.add('ops', 'slack', dead));
  scene.add('mail', 'email');
  await scene.pass(second);
  scene.crash();
  scene.announcer.start();
  await scene.pass(limits.notify.announcer.gatherMs);
  expect(scene.sent).toHaveLength(1);
  scene.crash();
  scene.announcer.start();
  await scene.pass(limits.notify.announcer.gatherMs);
  expect(scene.sent).toHaveLength(1);
});

test('one that its owner has enabled again meanwhile is not announced', async () => {
  const scene = new Scene();
  const ops = scene.add('ops', 'slack', dead);
  scene.add('mail', 'email');
  scene.announcer.disabled(ops);
  scene.channels.set(ops.id, { ...ops, settings: defaultChannelSettings });
  await scene.pass(limits.notify.announcer.gatherMs);
  expect(scene.sent).toEqual([]);
});

test('a message that fails is tried again a few times, and its failure disables nothing', async () => {
  const scene = new Scene();
  scene.announcer.disabled(scene.add('ops', 'slack', dead));
  const mail = scene.add('mail', 'email');
  scene.answer = () => ({ kind: 'failed', error: 'status 500' });
  for (let step = 0; step < 20; step++) await scene.pass(10 * second);
  expect(scene.sent).toHaveLength(limits.notify.announcer.attemptsMax);
  expect(scene.pending).toEqual([]);
  scene.answer = () => ({ kind: 'refused', error: 'status 410', gone: true });
  scene.announcer.disabled(scene.add('dev', 'slack', dead));
  await scene.pass(limits.notify.announcer.gatherMs);
  expect(scene.sent).toHaveLength(limits.notify.announcer.attemptsMax + 1);
  expect(scene.channels.get(mail.id)?.settings?.disabled).toBe(false);
});

test.each(['The bot was removed.', 'The bot was removed from a group that is called…'])(
  'writes a reason as a sentence: %s',
  async (disabledReason) => {
    const scene = new Scene();
    scene.add('ops', 'slack', { ...dead, disabledReason });
    scene.add('team', 'email');
    scene.announcer.start();
    await scene.pass(limits.notify.announcer.gatherMs);
    expect(scene.sent[0]?.announcement.text.split('\n')[0]).toBe(`"ops" (Slack): ${disabledReason}`);
  },
);
