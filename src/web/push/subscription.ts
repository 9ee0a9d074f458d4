/**
 * The subscription of this browser to alerts: made when somebody presses the button, repaired when the browser has replaced it.
 * Invariant: a refusal becomes an Error whose message says what to do.
 */
import { fromRoot } from '../core/base-path.ts';
import { ask, messageOf, send } from '../core/calls.ts';
import { permissionWords, serviceWords, unsupportedWords, workerWords } from './push-words.ts';
import { rememberEndpoint, rememberedEndpoint } from './remembered.ts';

/** Empty if this browser can be alerted. */
export function unsupported(): string {
  if (typeof navigator === 'undefined') return '';
  return unsupportedWords({
    isSecure: isSecureContext,
    hasPush: 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window,
    userAgent: navigator.userAgent,
    touchPoints: navigator.maxTouchPoints,
  });
}

/** Subscribes this browser, and returns the value of its integration. To be called by what a user has pressed: browsers ask then only. */
export async function subscribe(): Promise<string> {
  const problem = unsupported();
  if (problem !== '') throw new Error(problem);
  const refused = permissionWords(await Notification.requestPermission());
  if (refused !== '') throw new Error(refused);
  const { pushManager } = await registered();
  const value = JSON.stringify(await newSubscription(pushManager));
  rememberEndpoint(endpointOf(value));
  return value;
}

/** Resolves once the service worker is active: only then can it get messages. */
async function registered(): Promise<ServiceWorkerRegistration> {
  try {
    await navigator.serviceWorker.register(fromRoot('/sw.js'), { scope: fromRoot('/') });
    return await navigator.serviceWorker.ready;
  } catch (reason) {
    throw new Error(workerWords(messageOf(reason)));
  }
}

async function newSubscription(pushManager: PushManager): Promise<PushSubscription> {
  const { key } = await ask<{ readonly key: string }>('/web/push-key');
  try {
    const existing = await pushManager.getSubscription();
    // A subscription is bound to the key of its server, and a page has one: that of another installation has ended.
    if (existing && !isFor(existing, key)) await existing.unsubscribe();
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  } catch (reason) {
    throw new Error(serviceWords(messageOf(reason)));
  }
}

function isFor({ options }: PushSubscription, key: string): boolean {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') === key;
}

function endpointOf(value: string): string {
  return (JSON.parse(value) as { readonly endpoint: string }).endpoint;
}

/**
 * Gives Knell the new subscription of a browser that has replaced the one that Knell was given. The service worker does so at once,
 * where the browser says so and somebody is signed in; this is for all other cases.
 */
export async function repairSubscription(): Promise<void> {
  const before = rememberedEndpoint();
  if (before === null || unsupported() !== '' || Notification.permission !== 'granted') return;
  const registration = await navigator.serviceWorker.getRegistration(fromRoot('/'));
  if (!registration) return;
  const { pushManager } = registration;
  const subscription = (await pushManager.getSubscription()) ?? (await newSubscription(pushManager));
  const value = JSON.stringify(subscription);
  if (endpointOf(value) === before) return;
  await send('POST', '/web/push-moved', { before, value });
  rememberEndpoint(endpointOf(value));
}
