/** Where an integration sends to, in a few words without a secret. */
import { expect, test } from 'vitest';
import { targetOf } from '../../src/integrations/channel-target.ts';

test('is an address, or the host of a URL', () => {
  expect(targetOf('email', '{"value":"ops@example.org","up":true,"down":true}')).toBe('ops@example.org');
  expect(targetOf('slack', '{"incoming_webhook":{"url":"https://hooks.slack.com/services/T0/B0/key"}}')).toBe(
    'hooks.slack.com',
  );
  expect(targetOf('webhook', '{"url_up":"https://user:password@example.org:8443/key?token=1"}')).toBe(
    'example.org:8443',
  );
});

test('has of a topic four characters, and at most half of it', () => {
  const of = (topic: string) => targetOf('ntfy', JSON.stringify({ topic, url: 'https://ntfy.sh' }));
  expect([of('alerts-a1b2'), of('alerts'), of('ab'), of('a')]).toEqual([
    'ntfy.sh/aler…',
    'ntfy.sh/ale…',
    'ntfy.sh/a…',
    'ntfy.sh/…',
  ]);
});

test('is empty where all of it is secret, and short', () => {
  expect(targetOf('shell', '{"cmd_down":"notify","cmd_up":""}')).toBe('');
  const address = `${'a'.repeat(60)}@example.org`;
  expect(targetOf('email', address)).toHaveLength(40);
});
