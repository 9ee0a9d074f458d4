/** Where a kind's value is found, in the words of its form. */
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { channelKinds, kinds } from '../../src/integrations/all.ts';

/** Their values are an address, a number or a choice of one's own, or the browser's. */
const ownValues = [
  'call',
  'email',
  'events',
  'group',
  'mqtt',
  'shell',
  'sms',
  'webhook',
  'webpush',
  'whatsapp',
];

test('every kind whose value is found elsewhere says where, in three sentences', () => {
  const without = channelKinds.filter((kind) => kinds[kind].form.steps === undefined);
  expect(without).toEqual(ownValues);
  for (const kind of channelKinds) {
    const { help, steps = [] } = kinds[kind].form;
    expect(help !== undefined || steps.length > 0, kind).toBe(true);
    for (const step of steps) expect(step, kind).toMatch(/^[A-Z].*\.$/);
  }
});

test("the text for Slack's form is a manifest of an app that posts to one channel", () => {
  expect(parse(kinds.slack.form.pasted ?? '')).toMatchObject({
    display_information: { name: 'Knell' },
    oauth_config: { scopes: { bot: ['incoming-webhook'] } },
  });
});
