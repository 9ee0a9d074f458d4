/**
 * PagerDuty. Code, not only data: a key belongs to an integration of either version of the Events API, and does not say
 * which. What Healthchecks set up is of version 1.
 */
import { pdRequests, pdRequests1 } from '../../integrations/incidents/pd.ts';
import type { Send } from '../contract/channel.ts';
import { type HttpKindOptions, senderOf } from './http-kind.ts';

/** Version 2 answers 400 to the keys of version 1. A key of neither gets 400 from both. */
export function pagerDutySender(options: HttpKindOptions): Send {
  const [send2, send1] = [senderOf(pdRequests, options), senderOf(pdRequests1, options)];
  return async (notice, signal) => {
    const outcome = await send2(notice, signal);
    return outcome.kind === 'refused' && outcome.status === 400 ? send1(notice, signal) : outcome;
  };
}
