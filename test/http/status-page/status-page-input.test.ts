/** What owners may not enter about a status page, over a real socket: refused by a sentence at its field, and nothing is changed. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logoPixelsMax } from '../../../src/spec/limits.ts';
import { type Json, Knell } from '../../support/knell.ts';
import { ownerPage, type PageClient } from '../../support/page/page-client.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
/** 4 × 3 pixels of red. */
const jpeg = Buffer.from(
  [
    '/9j/4AAQSkZJRgABAQAAAQABAAD/4gHYSUNDX1BST0ZJTEUAAQEAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAA',
    'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'AAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAA',
    'ABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1',
    'AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAP',
    'KnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADb/',
    '2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCgu',
    'v/////////////////////////////////////////////////////////////////////////wAARCAADAAQDASIAAhEBAxEB/8QAFQABAQAA',
    'AAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAAwT/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9',
    'oADAMBAAIRAxEAPwCQA1j/2Q==',
  ].join(''),
  'base64',
);

let knell: Knell;
let owner: PageClient;
let path = '';
let before: Json;

beforeAll(async () => {
  knell = await Knell.start();
  owner = await ownerPage(knell);
  const project = (await owner.get('/web/state')).json().projects[0].id;
  const services = [{ name: 'Backups', tag: 'prod' }];
  const pages = `/web/in/${project}/status-pages`;
  const { id } = (await owner.post(pages, { slug: 'northwind', title: 'Northwind', services })).json();
  path = `${pages}/${id}`;
  before = (await owner.get(path)).json();
});

afterAll(() => knell.stop());

async function refused(where: string, fields: Json, field: string, words: string): Promise<void> {
  const answer = await owner.post(where, fields);
  expect([answer.status, answer.json()]).toEqual([400, { field, error: expect.stringContaining(words) }]);
  expect((await owner.get(path)).json()).toEqual(before);
}

/** As the file has it, but for a number of 32 bits. */
function withNumber(bytes: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt32BE(value, at);
  return copy;
}

test.each([
  ['a number', { title: 5 }, 'title', 'title must be text'],
  ['an object', { description: {} }, 'description', 'description must be text'],
  ['null', { timeZone: null }, 'timeZone', 'timeZone must be text'],
  ['a list', { logo: [] }, 'logo', 'logo must be text'],
  ['only control characters', { title: '\u0000\u0007' }, 'title', 'control characters'],
  ['an escape', { description: 'up \u001b[31m' }, 'description', 'control characters'],
  ['a bell', { services: [{ name: 'a\u0007', tag: 'b' }] }, 'services', 'control characters'],
])('a page refuses %s as text', (_, fields, field, words) => refused(path, fields, field, words));

describe('a notice, which cannot be changed once it is published,', () => {
  const right = { title: 'Upgrade', text: 'At ten.', stage: 'investigating', services: [] };
  test.each([
    ['text', { text: 5 }, 'text must be text'],
    ['text', { text: { de: 'Um zehn.' } }, 'text must be text'],
    ['text', { text: 'a\u0000b' }, 'control characters'],
    ['title', { title: ['Upgrade'] }, 'title must be text'],
    ['title', { title: '\u0085' }, 'control characters'],
    ['services', { services: 'Backups' }, 'services must be a list'],
    ['services', { services: [5] }, 'services must be a list'],
  ])('loses no %s without a word: %j', (field, wrong, words) =>
    refused(`${path}/notices`, { ...right, ...wrong }, field, words),
  );
});

describe('a logo', () => {
  test.each([
    ['only begins like a PNG', png.subarray(0, 8), 'damaged or cut off'],
    ['is a PNG without its end', png.subarray(0, png.length - 12), 'damaged or cut off'],
    [
      'is a PNG without a picture',
      Buffer.concat([png.subarray(0, 33), png.subarray(-12)]),
      'damaged or cut off',
    ],
    ['has chunks without an end', withNumber(png, 33, 0xffffffff), 'damaged or cut off'],
    ['is a PNG of no width', withNumber(png, 16, 0), 'damaged or cut off'],
    ['is a PNG too wide', withNumber(png, 16, logoPixelsMax + 1), `${logoPixelsMax} pixels`],
    ['is a PNG of four billion lines', withNumber(png, 20, 0xffffffff), `${logoPixelsMax} pixels`],
    ['only begins like a JPEG', jpeg.subarray(0, 3), 'damaged or cut off'],
    ['is a JPEG without its end', jpeg.subarray(0, jpeg.length - 2), 'damaged or cut off'],
    ['is a JPEG without a frame', Buffer.from('ffd8ffe00002ffda0002ffd9', 'hex'), 'damaged or cut off'],
    ['is a page', Buffer.from('<html>'), 'must be a PNG or JPEG'],
  ])('that %s is refused', (_, bytes, words) =>
    refused(path, { logo: bytes.toString('base64') }, 'logo', words),
  );

  test('that is whole is taken', async () => {
    for (const [type, bytes] of [
      ['image/png', png],
      ['image/jpeg', jpeg],
    ] as const) {
      expect((await owner.post(path, { logo: bytes.toString('base64') })).status).toBe(200);
      const logo = await fetch(`${knell.app.httpUrl}/status/northwind/logo`);
      expect(logo.headers.get('content-type')).toBe(type);
      expect(Buffer.from(await logo.arrayBuffer()).equals(bytes)).toBe(true);
    }
  });
});
