/** What is encrypted for a browser: the example of RFC 8291, read as a browser reads it, and never more than push services take. */
import { createECDH } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encrypted, fitting, webPushSender } from '../../../src/notify/channels/webpush.ts';
import { noticeOf, pushAuthorization, testSettings } from '../../support/engine/notices.ts';
import { PushBrowser } from '../../support/wire/push-browser.ts';

const bytes = (base64: string) => Buffer.from(base64, 'base64url');

/** https://www.rfc-editor.org/rfc/rfc8291#section-5 and its appendix A. */
const example = {
  text: 'When I grow up, I want to be a watermelon',
  senderPrivate: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
  browserPrivate: bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'),
  browserPublic: bytes(
    'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  ),
  salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
  auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  message: bytes(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  ),
};

describe('the example of RFC 8291', () => {
  test('is encrypted to the same bytes, with the same key and salt', async () => {
    const privateKey = createECDH('prime256v1');
    privateKey.setPrivateKey(example.senderPrivate);
    const keys = { p256dh: example.browserPublic, auth: example.auth };
    const message = await encrypted(example.text, keys, { privateKey, salt: example.salt });
    expect(message.toString('base64url')).toBe(example.message.toString('base64url'));
  });

  test('is read by the browser of the tests', () => {
    const browser = new PushBrowser({ privateKey: example.browserPrivate, auth: example.auth });
    expect(browser.decrypt(example.message)).toBe(example.text);
  });
});

const keysOf = (browser: PushBrowser) => {
  const { keys } = JSON.parse(browser.subscription('https://push.example.org/'));
  return { p256dh: bytes(keys.p256dh), auth: bytes(keys.auth) };
};

test('any message that fits can be read by its browser only, and is at most 4,096 bytes', async () => {
  const [browser, other] = [PushBrowser.random(), PushBrowser.random()];
  const keys = keysOf(browser);
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 2000 }),
    fc.constantFrom('\u0001', '"', '🔥', '\ud800', '\n').map((one) => one.repeat(2000)),
  );
  await fc.assert(
    fc.asyncProperty(text, async (text) => {
      const json = fitting(
        JSON.stringify({ title: 'Backup is DOWN', text, url: 'https://knell.example.org/' }),
      );
      const message = await encrypted(json, keys);
      expect(message.length).toBeLessThanOrEqual(4096);
      expect(browser.decrypt(message)).toBe(json);
      expect(() => other.decrypt(message)).toThrow();
      const shown: string = JSON.parse(json).text;
      expect(text.startsWith(shown.replace(/…$/, '')) || shown === text).toBe(true);
      if (Buffer.byteLength(JSON.stringify(text)) < 3000) expect(shown).toBe(text);
    }),
    { numRuns: 200 },
  );
});

test('no two messages have the same key or salt', async () => {
  const keys = keysOf(new PushBrowser());
  const [first, second] = [await encrypted('the same', keys), await encrypted('the same', keys)];
  expect(first.subarray(0, 16)).not.toEqual(second.subarray(0, 16));
  expect(first.subarray(21, 86)).not.toEqual(second.subarray(21, 86));
});

test('nothing is sent with a key that is no point of the curve', async () => {
  const p256dh = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]).toString('base64url');
  const auth = Buffer.alloc(16).toString('base64url');
  const value = JSON.stringify({ endpoint: 'https://push.example.org/', keys: { p256dh, auth } });
  const notice = noticeOf('webpush', 'down');
  const send = () => Promise.reject(new Error('was sent'));
  const sender = webPushSender({ send, settings: testSettings, nowMs: () => 0, pushAuthorization });
  const outcome = await sender(
    { ...notice, channel: { ...notice.channel, value } },
    new AbortController().signal,
  );
  expect(outcome).toEqual({ kind: 'refused', error: 'the subscription has a key that is not valid' });
});
