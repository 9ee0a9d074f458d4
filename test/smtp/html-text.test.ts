/** HTML as text: what a reader sees, in time that is linear in the length. */
import { expect, test } from 'vitest';
import { htmlText } from '../../src/smtp/html-text.ts';

test.each([
  ['<p>Job <b>O</b>K</p>', '\nJob OK\n'],
  ['Job\r\n   OK', 'Job OK'],
  ['<div>Job</div><div>OK</div>', '\nJob\nOK\n'],
  ['<tr><td>Job</td><td>OK</td></tr>', '\nJob OK\n'],
  ['Job&nbsp;OK &lt;b&gt; &amp;amp; &#x47;&#114;&uuml;n', 'Job OK <b> &amp; Grün'],
  ['a<!-- ERROR <b> -->b<!doctype html><?xml ERROR ?>c', 'abc'],
  ['<style>ERROR</style><SCRIPT>if (a < b) ERROR</SCRIPT x>ok<title>ERROR</title>', '\nok\n'],
  ['<a href="x>ERROR" title=\'a > b\'>ok</a>', 'ok'],
  ['<a href="x>never closed', 'never closed'],
  ["<p class=it's>ok", '\nok'],
  ['1 < 2 <> 3 <3', '1 < 2 <> 3 <3'],
  ['<script>ERROR', '\n'],
  ['ok<!-- ERROR', 'ok'],
  ['ok<p', 'ok\n'],
  ['', ''],
])('%j reads %j', (html, text) => {
  expect(htmlText(html)).toBe(text);
});

test.each([
  '<',
  '<div>',
  '<b>',
  '</',
  '<!--',
  '<a b="',
  "<a b='>",
  '<script>',
  '<script></script',
  '&',
  '&amp;',
  '&#',
  '"<a =',
  '<p a="\'',
  ' \n',
])('a megabyte of %j takes no longer than any other', (piece) => {
  const html = piece.repeat(1_000_000 / piece.length);
  const before = process.cpuUsage();
  htmlText(html);
  const { user, system } = process.cpuUsage(before);
  // Measured: under 100 ms; what goes back for each character takes minutes.
  expect((user + system) / 1000, 'ms of the processor').toBeLessThan(2000);
});
