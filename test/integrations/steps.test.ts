/** Where a kind's value is found, in the words of its form. */
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { channelKinds, kinds } from '../../src/integrations/all.ts';

test('every kind says where its value is found, in three sentences', () => {
  for (const kind of channelKinds) {
    const { steps } = kinds[kind].form;
    expect(steps, kind).toHaveLength(3);
    for (const step of steps) expect(step, kind).toMatch(/^[A-Z].*\.$/);
  }
});

test("the text for Slack's form is a manifest of an app that posts to one channel", () => {
  expect(parse(kinds.slack.form.pasted ?? '')).toMatchObject({
    display_information: { name: 'Knell' },
    oauth_config: { scopes: { bot: ['incoming-webhook'] } },
  });
});
