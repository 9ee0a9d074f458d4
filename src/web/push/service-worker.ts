/**
 * The service worker: shows the alerts of this browser while no page of Knell is open, and opens the check that one is about.
 * It keeps nothing and answers no request: the page always comes from the server.
 * Invariant: each message shows a notification; browsers end subscriptions that show none.
 */

/** What the types of a page lack of a service worker's. */
interface Worker {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: {
      readonly type: 'window';
      readonly includeUncontrolled: true;
    }): Promise<readonly Tab[]>;
    openWindow(url: string): Promise<unknown>;
  };
  addEventListener(name: 'push', take: (event: Waiting & { readonly data: PushData | null }) => void): void;
  addEventListener(name: 'notificationclick', take: (event: Waiting & Clicked) => void): void;
  addEventListener(name: 'pushsubscriptionchange', take: (event: Waiting & Changed) => void): void;
}
interface Tab {
  readonly url: string;
  focus(): Promise<unknown>;
}
interface Waiting {
  waitUntil(done: Promise<unknown>): void;
}
interface PushData {
  json(): unknown;
}
interface Clicked {
  readonly notification: Notification;
}
interface Changed {
  readonly oldSubscription?: PushSubscription | null;
  readonly newSubscription?: PushSubscription | null;
}

const worker = self as unknown as Worker;

worker.addEventListener('push', (event) => event.waitUntil(show(event.data)));
worker.addEventListener('notificationclick', (event) => event.waitUntil(open(event.notification)));
worker.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(repair(event)));

/** A message as `integrations/push/webpush` writes it. */
interface Alert {
  readonly title: string;
  readonly text: string;
  readonly url: string;
  readonly tag: string;
  readonly status: 'down' | 'up' | 'late' | 'warning';
}

/** What browsers take, and the types do not have yet. */
interface Shown extends NotificationOptions {
  readonly renotify?: boolean;
}

function show(data: PushData | null): Promise<void> {
  const { title, text, url, tag, status } = alertIn(data);
  const options: Shown = {
    body: text,
    // The next one about the same check takes its place, with a sound.
    ...(tag === '' ? {} : { tag, renotify: true }),
    icon: 'icon-192.png',
    badge: 'badge-96.png',
    requireInteraction: status === 'down',
    data: { url },
  };
  return worker.registration.showNotification(title, options);
}

function alertIn(data: PushData | null): Alert {
  const bare: Alert = { title: 'Knell', text: '', url: worker.registration.scope, tag: '', status: 'late' };
  try {
    return { ...bare, ...(data?.json() as Alert) };
  } catch {
    return bare;
  }
}

/** Shows the tab that shows it, or a new one: what somebody is writing in another tab stays there. */
async function open(notification: Notification): Promise<void> {
  notification.close();
  const { url } = notification.data as { readonly url: string };
  const tabs = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  for (const tab of tabs) {
    if (await isSamePage(tab.url, url)) {
      await tab.focus();
      return;
    }
  }
  await worker.clients.openWindow(url);
}

/** An alert names a check by its unique key, the page by its UUID for those who may edit it. */
async function isSamePage(shown: string, wanted: string): Promise<boolean> {
  const [one, other] = [new URL(shown), new URL(wanted)];
  if (one.origin !== other.origin) return false;
  const [, before = '', uuid = ''] = /^(.*\/checks\/)([\da-f]{8}-[\da-f-]{27})$/.exec(one.pathname) ?? [];
  const path = uuid === '' ? one.pathname : before + (await uniqueKeyOf(uuid));
  return path === other.pathname || one.pathname === other.pathname;
}

/** As `lib/ids` has it. */
async function uniqueKeyOf(uuid: string): Promise<string> {
  const half = new TextEncoder().encode(uuid.replaceAll('-', '').slice(0, 16));
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-1', half));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Gives Knell the subscription that has taken the place of another one; only a session may do that. */
async function repair({ oldSubscription, newSubscription }: Changed): Promise<void> {
  if (!oldSubscription) return;
  const moved = newSubscription ?? (await subscribedAgain(oldSubscription));
  if (moved && (await isTaken(oldSubscription.endpoint, moved))) return;
  await worker.registration.showNotification('Knell can no longer alert this browser', {
    body: 'The browser has ended its subscription. Open Knell to renew it.',
    icon: 'icon-192.png',
    badge: 'badge-96.png',
    data: { url: worker.registration.scope },
  });
}

function subscribedAgain({ options }: PushSubscription): Promise<PushSubscription | null> {
  const { applicationServerKey } = options;
  return worker.registration.pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey })
    .catch(() => null);
}

async function isTaken(before: string, subscription: PushSubscription): Promise<boolean> {
  try {
    const { scope } = worker.registration;
    const state = (await (await fetch(new URL('web/state', scope))).json()) as { readonly csrf: string };
    const reply = await fetch(new URL('web/push-moved', scope), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Knell-Csrf': state.csrf },
      body: JSON.stringify({ before, value: JSON.stringify(subscription) }),
    });
    return reply.ok;
  } catch {
    return false;
  }
}
