/**
 * The buttons of alerts in Discord, Slack, Telegram and ntfy, from the deadline to the acknowledged check: a vendor that refuses what the
 * real one refuses takes the message over a socket, and what it shows is pressed by somebody without an account.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hour, minute } from '../../src/lib/units.ts';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { Knell } from '../support/knell.ts';
import { eventually } from '../support/patience.ts';
import { tempDir } from '../support/temp-dirs.ts';
import { selfSigned } from '../support/wire/certificate.ts';
import { type Button, chatVendors } from '../support/wire/chat-vendors.ts';
import { standInFor } from '../support/wire/in-place-of.ts';
import { type Answering, HttpReceiver } from '../support/wire/receivers.ts';

type Kind = keyof typeof chatVendors;

interface Case {
  readonly kind: Kind;
  readonly value: (url: string) => string;
  readonly down: readonly string[];
  readonly late: readonly string[];
  readonly up: readonly string[];
}

const cases: readonly Case[] = [
  { kind: 'discord', value: (url) => url, down: ['Acknowledge', 'Snooze'], late: ['Snooze'], up: [] },
  { kind: 'slack', value: (url) => url, down: ['Acknowledge', 'Snooze'], late: ['Snooze'], up: [] },
  {
    kind: 'telegram',
    value: () => '{"id": -100}',
    down: ['Acknowledge or snooze'],
    late: ['Snooze'],
    up: [],
  },
  {
    kind: 'ntfy',
    value: (url) => JSON.stringify({ topic: 'jobs', url }),
    down: ['View check', 'Acknowledge', 'Snooze 1 h'],
    late: ['View check', 'Snooze 1 h'],
    up: ['View check'],
  },
];

const kinds = cases.map(({ kind }) => kind);

interface Shown {
  readonly body: string;
  readonly buttons: readonly Button[];
}

/** What each vendor has shown, and what it has refused. */
const shown: Record<Kind, Shown[]> = { discord: [], slack: [], telegram: [], ntfy: [] };
const refusals: string[] = [];
let receiver: HttpReceiver;
let telegram: HttpReceiver;
let standIn: () => void;

function answeringAs(kindOf: (path: string) => Kind): Answering {
  return ({ path, body }, response) => {
    const kind = kindOf(path);
    try {
      shown[kind].push({ body, buttons: chatVendors[kind].shown(path, JSON.parse(body)) });
      response.end('{"ok":true}');
    } catch (error) {
      refusals.push(`${kind}: ${String(error)}`);
      response.writeHead(400).end(String(error));
    }
  };
}

beforeAll(async () => {
  receiver = await HttpReceiver.start();
  receiver.answering = answeringAs(
    (path) => cases.find(({ kind }) => path.startsWith(`/${kind}`))?.kind ?? 'ntfy',
  );
  const host = 'api.telegram.org';
  const certificate = selfSigned(tempDir(), 1, host);
  telegram = await HttpReceiver.start(certificate);
  telegram.answering = answeringAs(() => 'telegram');
  standIn = standInFor({ host, port: telegram.port, certificate });
});

afterAll(async () => {
  standIn();
  await receiver.stop();
  await telegram.stop();
});

beforeEach(() => {
  refusals.length = 0;
});

/** A Knell, and in it a check for each vendor that has pinged once. */
class Scene {
  readonly clock = new SimulatedClock(Date.UTC(2026, 4, 4, 4));
  readonly checks = new Map<Kind, string>();
  readonly baseUrl: string;
  #knell: Knell | null = null;

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl;
  }

  get knell(): Knell {
    if (!this.#knell) throw new Error('it has not begun');
    return this.#knell;
  }

  async begin(): Promise<void> {
    const { clock, baseUrl } = this;
    const env = {
      KNELL_BASE_URL: baseUrl,
      KNELL_WEBHOOK_ALLOW: '127.0.0.0/8',
      KNELL_TELEGRAM_TOKEN: '1:secret',
    };
    this.#knell = await Knell.start({ clock, env });
    // All integrations first: checks that exist get a new one, too.
    const channels = new Map<Kind, string>();
    for (const { kind, value } of cases)
      channels.set(kind, await this.#channel(kind, value(receiver.url(`/${kind}`))));
    for (const kind of kinds) {
      const times = { timeout: 3600, grace: 600 };
      const { uuid } = await this.knell.create({
        name: `job of ${kind}`,
        ...times,
        channels: channels.get(kind),
      });
      this.checks.set(kind, uuid);
      await this.ping(kind);
    }
  }

  async #channel(kind: Kind, value: string): Promise<string> {
    const args = { project: 'default', kind, name: `${kind} of the team`, value, late: true };
    return ((await this.knell.app.admin({ command: 'channel create', args }, () => {})) as { id: string }).id;
  }

  async ping(kind: Kind, action = ''): Promise<void> {
    expect((await this.knell.request(`/ping/${this.checks.get(kind)}${action}`)).status).toBe(200);
  }

  /** The message of each vendor that comes next. */
  async nextOf(kinds: readonly Kind[], cause: () => Promise<void>): Promise<readonly Shown[]> {
    const before = new Map(kinds.map((kind) => [kind, shown[kind].length]));
    await cause();
    return eventually(async () => {
      await this.clock.advance(5);
      return kinds.map((kind) => {
        const next = shown[kind][before.get(kind) ?? 0];
        if (!next) throw new Error(`${kind} shows nothing yet; ${refusals.join()}`);
        return next;
      });
    });
  }

  async held(kind: Kind) {
    return (await this.knell.api('GET', `/api/v3/checks/${this.checks.get(kind)}/snooze`)).json();
  }

  /** Opens what a button opens, and does the first thing of that kind there; an app that sends by itself needs no page. */
  async press({ url, sends }: Button, what: string) {
    const path = url.slice(this.baseUrl.length);
    const page = await this.knell.request(path);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    if (sends) return this.knell.request(path, sends);
    const [, does = ''] =
      new RegExp(`<button type="submit" name="do" value="(${what}[\\w-]*)"`).exec(page.text) ?? [];
    return this.knell.request(path, { method: 'POST', body: new URLSearchParams({ do: does }) });
  }
}

const textsOf = ({ buttons }: Shown): readonly string[] => buttons.map(({ text }) => text);

describe('of a check that misses its deadline', () => {
  const scene = new Scene('https://knell.test');
  let late: readonly Shown[] = [];
  let down: readonly Shown[] = [];

  beforeAll(async () => {
    await scene.begin();
    late = await scene.nextOf(kinds, () => scene.clock.advance(hour));
    down = await scene.nextOf(kinds, () => scene.clock.advance(10 * minute));
  });

  afterAll(() => scene.knell.stop());

  describe.each(cases.map((one, nth) => [one.kind, one, nth] as const))('%s', (kind, expected, nth) => {
    const button = (of: Shown | undefined, text: string): Button => {
      const found = of?.buttons.find((one) => one.text.includes(text));
      if (!found) throw new Error(`${kind} shows no button ${text}`);
      return found;
    };

    test('offers to snooze it while it is late', () => {
      expect(late.map(textsOf)[nth]).toEqual(expected.late);
      expect(late[nth]?.body).toContain('LATE');
    });

    test('acknowledges it, once somebody has said so on the page behind the button', async () => {
      expect(down.map(textsOf)[nth]).toEqual(expected.down);
      expect(down[nth]?.body).toContain('DOWN');
      const acknowledge = button(down[nth], 'Acknowledge');
      const page = await scene.knell.request(acknowledge.url.slice(scene.baseUrl.length));
      expect(page.text).toContain(`job of ${kind} is down`);
      expect(await scene.held(kind)).toMatchObject({ acknowledged: null, snoozed: null });
      expect((await scene.press(acknowledge, 'acknowledge')).status).toBe(200);
      expect(await scene.held(kind)).toMatchObject({
        acknowledged: { by: `${kind} of the team` },
        snoozed: null,
      });
    });

    test('has nothing to press when it is up, and its alert does nothing more', async () => {
      const [up] = await scene.nextOf([kind], () => scene.ping(kind));
      expect(up && textsOf(up)).toEqual(expected.up);
      expect(up?.body).toContain('UP');
      expect((await scene.press(button(down[nth], 'Acknowledge'), 'acknowledge')).text).toContain(
        'This is over',
      );
      expect(await scene.held(kind)).toMatchObject({ acknowledged: null, snoozed: null });
    });

    test('snoozes it for an hour in the next outage', async () => {
      const [again] = await scene.nextOf([kind], () => scene.ping(kind, '/fail'));
      const snooze = again?.buttons.at(-1);
      expect(snooze && (await scene.press(snooze, 'snooze')).status).toBe(200);
      const { snoozed, acknowledged } = await scene.held(kind);
      expect([snoozed.by, acknowledged]).toEqual([`${kind} of the team`, null]);
      expect(Date.parse(snoozed.until) - Date.parse(snoozed.timestamp)).toBe(hour);
    });

    test('had nothing to refuse', () => expect(refusals).toEqual([]));
  });
});

test('arrives without buttons, where the vendor does not take their address', async () => {
  const scene = new Scene(`http://localhost/${'long/'.repeat(100)}knell`);
  await scene.begin();
  const [discord, slack, telegram, ntfy] = await scene.nextOf(kinds, async () => {
    for (const kind of kinds) await scene.ping(kind, '/fail');
  });
  for (const one of [discord, slack, telegram, ntfy]) expect(one?.body).toContain('DOWN');
  // Discord's buttons have at most 512 characters of address, and Telegram's want a name with a dot.
  expect([discord, telegram].map((one) => one && textsOf(one))).toEqual([[], []]);
  expect(discord?.body).toContain(`(${scene.baseUrl}/alert/`);
  expect([slack, ntfy].map((one) => one && textsOf(one))).toEqual([cases[1]?.down, cases[3]?.down]);
  expect(refusals).toEqual(['discord: Error: 50035: url']);
  await scene.knell.stop();
});
