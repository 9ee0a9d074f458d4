/** Why a notification was never sent, in the words of the list of integrations, for each reason. */
import { expect, test } from 'vitest';
import { newerAlertReason, snoozedReason } from '../../src/notify/dispatch/still-due.ts';
import { unsentWords } from '../../src/web/integrations/unsent-words.ts';

test.each([
  [snoozedReason(0), 'not sent, snoozed'],
  [`status 500; ${snoozedReason(0)}`, 'not sent, snoozed'],
  [newerAlertReason, 'not sent, superseded'],
  ['a newer outage came first', 'not sent, superseded'],
  ['the check was up before this was sent', 'not sent, up by then'],
  ['status 500; then the check was up', 'not sent, up by then'],
  ['the check was late before this was sent', 'not sent, late by then'],
  ['the check was grace by the time this was due', 'not sent, late by then'],
  ['the check was down again before this was sent', 'not sent, down again'],
  ['the check was paused, and is down anew, before this was sent', 'not sent, paused'],
  [
    'the check was up, or acknowledged, before this integration was to be notified',
    'not sent, up or acknowledged',
  ],
  ['the check was down only while a window kept this back', 'not sent, quiet hours'],
  ["the check was down for less than the integration's delay", 'not sent, over within its delay'],
  ['of another version', 'not sent'],
])('%s', (error, words) => {
  expect(unsentWords(error)).toBe(words);
});
