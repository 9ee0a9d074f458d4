/** Mails and histories as the page reads them, without a browser. */
import { expect, test } from 'vitest';
import { spansOf } from '../../src/web/charts/timeline.ts';
import { readMail } from '../../src/web/log/mail.ts';

const mailOf = (raw: string) => readMail(new TextEncoder().encode(raw));

test('a mail of several parts shows its text, its HTML and its decoded subject', async () => {
  const raw = [
    'Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?= <b>',
    'Content-Type: multipart/alternative; boundary="x"',
    '',
    '--x',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'caf=C3=A9 <script>',
    '--x',
    'Content-Type: text/html',
    'Content-Transfer-Encoding: base64',
    '',
    btoa('<p onclick="evil()">hi</p>'),
    '--x--',
  ].join('\r\n');
  expect(await mailOf(raw)).toEqual({
    subject: 'Grüße <b>',
    text: 'café <script>\n',
    html: '<p onclick="evil()">hi</p>',
  });
});

test('a mail that was cut in the middle of a part shows what is there', async () => {
  const head =
    'Subject: cut\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Transfer-Encoding: base64\n\n';
  expect(await mailOf(head + btoa('the first line, and more').slice(0, 20))).toMatchObject({
    subject: 'cut',
    text: 'the first line,',
  });
});

test('what is no mail has no text, and what no mail program writes is refused', async () => {
  expect(await mailOf('')).toEqual({ subject: '', text: '', html: '' });
  expect(await mailOf('Content-Type: multipart/mixed; boundary=b\n\n--b\n'.repeat(50))).toBeNull();
  expect(await mailOf(`X: ${'x'.repeat(1_100_000)}`)).toBeNull();
});

test('spans follow each other without gap', () => {
  const at = (day: number): number => new Date(2026, 2, day).getTime();
  const spans = spansOf({
    fromMs: at(1),
    nowMs: at(11),
    status: 'up',
    changes: [
      { atMs: at(4), from: 'down', to: 'up', cause: 'success' },
      { atMs: at(3), from: 'up', to: 'down', cause: 'timeout' },
    ],
  });
  expect(spans.map(({ status }) => status)).toEqual(['up', 'down', 'up']);
  expect(spans.map(({ fromMs }) => fromMs)).toEqual([at(1), at(3), at(4)]);
  expect(spans.at(-1)?.untilMs).toBe(at(11));
});
