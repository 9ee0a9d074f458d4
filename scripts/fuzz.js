// Feeds what reads foreign bytes with deterministic garbage: the same seed makes the same input. So far the mail reader:
// whatever comes, it must end, in time, with a subject and texts, and nothing may be thrown past it.
// `--rounds N` (20000), `--seed N` (1), `--only N` (that round alone, its mail on stdout).
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readMail } from '../dist/smtp/read-mail.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log('usage: npm run test:fuzz -- [--rounds N] [--seed N] [--only ROUND]');
  process.exit(0);
}

/** A mail of at most 200 kB takes a few milliseconds; two seconds where the library's work grows with the square. */
const slowMs = 10_000;
const hungMs = 30_000;
const bytesMax = 200_000;

/** mulberry32 */
function randomOf(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const multipart = (kind, ...parts) =>
  `Content-Type: multipart/${kind}; boundary="b"\r\n\r\n${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`;
const text =
  'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nJob=20OK =C3=BC';
const html =
  'Content-Type: text/html; charset=windows-1251\r\n\r\n<p class="x">Job <b>OK</b> &amp; &#x41;<!-- c --><script>x</script>';
const file =
  'Content-Type: application/pdf; name*0*=utf-8\'\'a%20; name*1=b\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="=?utf-8?b?w7w=?="\r\n\r\nAAECAw==';
const forwarded = `Content-Type: message/rfc822\r\n\r\nSubject: inner\r\nFrom: "x" <a@b>, g: c@d, e@f;\r\n\r\nhi`;
const corpus = [
  `Subject: =?utf-8?q?a_b?=\r\n =?iso-2022-jp?B?GyRCJTglZxsoQg==?=\r\nFrom: =?x?B?IQ==?= <a@b>\r\nDate: no\r\n\r\nhi\r\n`,
  multipart('alternative', text, html),
  multipart('mixed', text, file, forwarded, multipart('related', html, file)),
  multipart('report', 'Content-Type: message/delivery-status\r\n\r\nAction: failed\r\n', forwarded),
  'Content-Type: text/plain; format=flowed; delsp=yes; charset=shift_jis\r\n\r\nlong \r\n line\r\n',
  'Content-Type: text/plain; charset=iso-2022-jp\r\n\r\n\x1b$B%8\x1b(B\r\n',
  'List-Id: <a.b>\r\nList-__proto__: x\r\nReferences: <a> b\r\nX-Priority: 1\r\nDKIM-Signature: v=1; b=\r\n\r\n',
];
const pieces = [
  ...[
    '\r\n',
    '\n',
    '\r',
    '\r\n\r\n',
    '\0',
    '--b',
    '--b--',
    '--b\r\n',
    ' ',
    '\t',
    ':',
    ';',
    '"',
    '=',
    '=?',
    '?=',
    '<',
    '>',
  ],
  ...[
    '@',
    ',',
    '(',
    ')',
    '\\',
    '%',
    '*0*=',
    '&',
    '&#',
    '&#x110000;',
    '<!--',
    '<script>',
    '<a b="',
    '\x1b$B',
    '\x80',
    '\xff',
  ],
  ...[
    'Content-Type: ',
    'multipart/mixed; boundary=',
    'message/rfc822',
    'text/html',
    'charset=',
    'utf-16le',
    'utf-7',
  ],
  ...[
    'base64',
    'quoted-printable',
    'Content-Transfer-Encoding: ',
    'Subject: ',
    '=?utf-8?b?',
    '=?utf-8?q?=',
    '__proto__',
  ],
];

function mutated(random) {
  const upTo = (max) => Math.floor(random() * max);
  const oneOf = (list) => list[upTo(list.length)];
  let mail = oneOf(corpus);
  for (let changes = 1 + upTo(12); changes > 0; changes--) {
    const at = upTo(mail.length + 1);
    const to = at + upTo(random() < 0.5 ? 8 : mail.length - at + 1);
    const put = [
      () => oneOf(pieces),
      () => oneOf(pieces).repeat(1 + upTo(random() < 0.1 ? 20_000 : 40)),
      () => String.fromCharCode(upTo(256)),
      () => mail.slice(at, to).repeat(1 + upTo(4)),
      () => oneOf(corpus),
      () => '',
    ];
    mail = (mail.slice(0, at) + oneOf(put)() + mail.slice(random() < 0.5 ? at : to)).slice(0, bytesMax);
  }
  return Buffer.from(mail, 'latin1');
}

let round = 0;
const seed = Number(values.seed);
const again = () => `node scripts/fuzz.js --seed ${seed} --only ${round}`;

function fail(why) {
  console.error(`round ${round}: ${why}\n  again: ${again()}`);
  process.exit(1);
}

process.on('uncaughtException', (error) => fail(error.stack));
process.on('unhandledRejection', (error) => fail(String(error)));

async function play() {
  const mail = mutated(randomOf(seed * 1_000_003 + round));
  if (values.only !== undefined) process.stdout.write(mail);
  const startedMs = performance.now();
  const read = await Promise.race([readMail(mail), sleep(hungMs, undefined, { ref: false })]);
  if (read === undefined) fail(`${mail.length} bytes do not end`);
  const tookMs = performance.now() - startedMs;
  if (tookMs >= slowMs) fail(`${mail.length} bytes took ${tookMs.toFixed(0)} ms`);
  const words = [read.subject, ...read.texts];
  if (!words.every((word) => typeof word === 'string')) fail('the texts are not all texts');
  return tookMs;
}

const startedMs = performance.now();
let slowest = { round: 0, tookMs: 0 };
const rounds = values.only === undefined ? Number(values.rounds) : 1;
for (let played = 1; played <= rounds; played++) {
  round = values.only === undefined ? played : Number(values.only);
  const tookMs = await play();
  if (tookMs > slowest.tookMs) slowest = { round, tookMs };
}
const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
console.log(
  `${rounds} mails read in ${seconds} s, seed ${seed}; slowest: round ${slowest.round}, ${slowest.tookMs.toFixed(0)} ms`,
);
