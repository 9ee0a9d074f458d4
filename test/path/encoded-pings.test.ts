/** Pings whose address a client has percent-encoded, over real sockets. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Knell } from '../support/knell.ts';

let knell: Knell;

beforeAll(async () => {
  knell = await Knell.start();
});

afterAll(() => knell.stop());

describe('a ping whose address is percent-encoded', () => {
  const encoded = (text: string): string =>
    [...text].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join('');

  test('reaches its check, as Healthchecks has it: the path is decoded once', async () => {
    const { uuid } = await knell.create({ slug: 'up' });
    const { ping } = knell.keys;
    const paths = [
      `/ping/${uuid.replaceAll('-', '%2D')}`,
      `/ping/${encoded(uuid)}/f%61il`,
      `/ping/${uuid}/%31`,
      `/ping/${ping}/u%70`,
      `/ping/${encoded(ping)}/up/%73tart`,
      `/ping/${ping}%2Fup`,
    ];
    for (const path of paths) expect([path, (await knell.request(path)).text]).toEqual([path, 'OK']);
    const types = (await knell.pings(uuid)).map(({ type }: { type: string }) => type).reverse();
    expect(types).toEqual(['success', 'fail', 'fail', 'success', 'start', 'success']);
  });

  test('is that of no check where the encoding is wrong, or there twice', async () => {
    const { uuid } = await knell.create({ slug: 'twice' });
    for (const path of ['tw%zzce', 'twic%', 'tw%2569ce', 'tw%00ce', 'tw%ffce', 'tw%C3%A4ce'])
      expect([path, (await knell.request(`/ping/${knell.keys.ping}/${path}`)).status]).toEqual([path, 404]);
    expect((await knell.check(uuid)).n_pings).toBe(0);
  });
});
