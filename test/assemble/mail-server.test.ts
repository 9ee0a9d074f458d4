/** What of the mail server is shown, and when its password is kept. */
import { expect, test } from 'vitest';
import { mailServerOf, withPasswordOf } from '../../src/assemble/mail-server.ts';

test('all but the password is shown', () => {
  expect(mailServerOf('')).toBeNull();
  expect(mailServerOf('smtps://ada%40x:p%40ss@mail.example.org')).toEqual({
    host: 'mail.example.org',
    port: '465',
    encryption: 'tls',
    user: 'ada@x',
    hasPassword: true,
  });
  expect(mailServerOf('smtp://[2001:db8::1]:25')).toMatchObject({
    host: '2001:db8::1',
    port: '25',
    user: '',
  });
  expect(mailServerOf('smtp://100%@mail.example.org')).toMatchObject({ port: '587', user: '100%' });
});

test('the password goes along only for the same user of the same host', () => {
  const stored = 'smtp://ada:p%40ss@mail.example.org:587';
  expect(withPasswordOf(stored, 'smtps://ada@MAIL.example.org:465')).toBe(
    'smtps://ada:p%40ss@MAIL.example.org:465',
  );
  for (const wanted of ['smtp://eve@mail.example.org', 'smtp://ada@other.example', 'smtp://mail.example.org'])
    expect(withPasswordOf(stored, wanted)).toBeNull();
  expect(withPasswordOf('smtp://ada@mail.example.org', 'smtp://ada@mail.example.org:25')).toBeNull();
  expect(withPasswordOf('', 'smtp://ada@mail.example.org')).toBeNull();
});
