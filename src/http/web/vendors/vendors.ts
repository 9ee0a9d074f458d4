/**
 * The vendors that can fill in the form of an integration: where a browser is sent, and what the answer means that it comes back
 * with. Not here: whose answer it is (`fill`).
 * Invariant: the error of an answer is a sentence that says what to do, and repeats nothing of the answer, which has secrets.
 */
import type { ChannelKind } from '../../../domain/accounts/project.ts';
import { nameCharsMax } from '../../../domain/limits.ts';
import type { FilledValue } from '../../../domain/views/fill-view.ts';
import { parseObject } from '../../../integrations/contract/values.ts';
import { filledMax } from '../../limits.ts';
import type { VendorApps } from '../calls/call.ts';

/** Where a vendor sends the browser back to. */
export interface ReturnAddress {
  /** The same for all, as vendors want it that have to know it beforehand. */
  readonly url: string;
  /** Has to come back as the parameter `state`. */
  readonly state: string;
}

/** The contents of the form, several if somebody has picked several; or the error. */
export type VendorAnswer = readonly FilledValue[] | string;

export interface Vendor {
  /** Returns where the browser goes; null while the owner has not set the vendor up. */
  address(apps: VendorApps, back: ReturnAddress): string | null;
  /** `answer`: the parameters that the browser came back with. */
  read(answer: URLSearchParams): VendorAnswer;
}

/**
 * The parameters `success` and `failure`, and `pushover_user_key` and `pushover_unsubscribed` of the answer:
 * https://pushover.net/api/subscriptions. The form of a group-based subscription does not come back.
 */
const pushover: Vendor = {
  address({ pushoverSubscriptionUrl: url }, { url: back, state }) {
    if (url === '') return null;
    const success = withQuery(back, { state });
    return withQuery(url, { success, failure: withQuery(back, { state, refused: '1' }) });
  },
  read(answer) {
    if (answer.get('pushover_unsubscribed') === '1')
      return 'You have unsubscribed at Pushover: integrations with that key get no more alerts. Delete them, or subscribe again.';
    if (answer.has('refused'))
      return 'You have not subscribed at Pushover. Try again, or enter the user key.';
    const user = answer.get('pushover_user_key') ?? '';
    if (!/^\w{1,64}$/.test(user)) return 'Pushover has sent no user key. Try again, or enter the user key.';
    return [{ name: '', fields: { user } }];
  },
};

/** The parameter `config`: https://developer.pagerduty.com/docs/app-integration-development/events-integration/ */
const pagerDuty: Vendor = {
  address({ pdAppId }, { url: back, state }) {
    if (pdAppId === '') return null;
    const redirect = withQuery(back, { state });
    return withQuery('https://app.pagerduty.com/install/integration', {
      ...{ app_id: pdAppId, redirect_url: redirect, version: '2' },
    });
  },
  read(answer) {
    const keys = parseObject(answer.get('config') ?? '')?.integration_keys;
    const values = (Array.isArray(keys) ? keys : []).flatMap((one): FilledValue[] => {
      const { integration_key: value, name } = Object(one) as Record<string, unknown>;
      if (typeof value !== 'string' || !/^\w{1,64}$/.test(value)) return [];
      return [{ name: typeof name === 'string' ? shortened(name) : '', fields: { value } }];
    });
    if (values.length > 0) return values.slice(0, filledMax);
    return 'PagerDuty has sent no integration key. Try again and choose a service there, or enter the key.';
  },
};

const vendors: Partial<Readonly<Record<ChannelKind, Vendor>>> = { pd: pagerDuty, po: pushover };

/** Returns the vendor of a kind; null if none fills in its form. */
export function vendorOf(kind: string): { readonly kind: ChannelKind; readonly vendor: Vendor } | null {
  const found = entries.find(([name]) => name === kind);
  return found ? { kind: found[0], vendor: found[1] } : null;
}

/** Returns the kinds whose vendor the owner has set up. */
export function fillableKinds(apps: VendorApps): readonly ChannelKind[] {
  return entries
    .filter(([, { address }]) => address(apps, { url: '', state: '' }) !== null)
    .map(([kind]) => kind);
}

const entries = Object.entries(vendors) as readonly (readonly [ChannelKind, Vendor])[];

function withQuery(url: string, parameters: Readonly<Record<string, string>>): string {
  return `${url}?${new URLSearchParams(parameters)}`;
}

/** One line that is short enough for the name of an integration. */
function shortened(name: string): string {
  const line = name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return [...line].slice(0, nameCharsMax).join('');
}
