/** Clients that people already run, unchanged. */
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, Knell } from '../support/knell.ts';

/** The part of the client that is used here: it comes without types. */
interface ApiClient {
  getChecks(tags?: readonly string[]): Promise<Json>;
  getCheck(id: string): Promise<Json>;
  createCheck(info: Json): Promise<Json>;
  updateCheck(uuid: string, info: Json): Promise<Json>;
  pauseCheck(uuid: string): Promise<Json>;
  deleteCheck(uuid: string): Promise<Json>;
  listPings(uuid: string): Promise<Json>;
  listFlips(uuid: string, range?: Json): Promise<Json>;
  getIntegrations(): Promise<Json>;
}

interface PingClient {
  start(): Promise<Json>;
  success(payload?: string): Promise<Json>;
  fail(payload?: string): Promise<Json>;
}

const { HealthChecksApiClient, HealthChecksPingClient } = createRequire(import.meta.url)(
  'healthchecks-io-client',
);

let knell: Knell;

beforeAll(async () => {
  knell = await Knell.start();
});

afterAll(() => knell.stop());

describe('healthchecks-io-client', () => {
  test.each([1, 2, 3])('manages checks by version %i', async (apiVersion) => {
    const client: ApiClient = new HealthChecksApiClient({
      apiKey: knell.keys.readWrite,
      baseUrl: knell.app.httpUrl,
      apiVersion,
    });
    const made = await client.createCheck({
      name: 'Client Test',
      tags: `v${apiVersion}`,
      timeout: 3600,
      grace: 600,
    });
    expect(made).toMatchObject({ status: 'new', slug: apiVersion < 3 ? 'client-test' : '' });
    const uuid = made.ping_url.split('/').at(-1);
    await knell.request(`/ping/${uuid}`);
    await knell.request(`/ping/${uuid}/fail`);
    await knell.request(`/ping/${uuid}/start`);
    expect(await client.getCheck(uuid)).toMatchObject({
      status: apiVersion === 1 ? 'started' : 'down',
      started: true,
    });
    expect((await client.getChecks([`v${apiVersion}`])).checks).toHaveLength(1);
    expect(await client.updateCheck(uuid, { name: 'Renamed' })).toMatchObject({
      name: 'Renamed',
      timeout: 3600,
    });
    expect((await client.listPings(uuid)).pings.map((ping: Json) => ping.type)).toEqual([
      'start',
      'fail',
      'success',
    ]);
    const flips = await client.listFlips(uuid);
    expect(apiVersion === 3 ? flips : flips.flips).toMatchObject([{ up: 0 }]);
    expect(await client.pauseCheck(uuid)).toMatchObject({ status: 'paused' });
    expect(await client.getIntegrations()).toEqual({ channels: [] });
    expect(await client.deleteCheck(uuid)).toMatchObject({ name: 'Renamed' });
    await expect(client.getCheck(uuid)).rejects.toThrow();
  });

  test.each([1, 2, 3])('reads with a read-only key by version %i', async (apiVersion) => {
    const { uuid } = await knell.create({ tags: `read${apiVersion}` });
    await knell.request(`/ping/${uuid}`);
    await knell.request(`/ping/${uuid}/fail`);
    const client: ApiClient = new HealthChecksApiClient({
      apiKey: knell.keys.readOnly,
      baseUrl: knell.app.httpUrl,
      apiVersion,
    });
    const [{ unique_key: uniqueKey }] = (await client.getChecks([`read${apiVersion}`])).checks;
    expect(await client.getCheck(uniqueKey)).toMatchObject({ unique_key: uniqueKey, status: 'down' });
    const listed = async (range?: Json): Promise<Json> => {
      const flips = await client.listFlips(uniqueKey, range);
      return apiVersion === 3 ? flips : flips.flips;
    };
    expect(await listed({ seconds: 3600 })).toMatchObject([{ up: 0 }]);
    expect(await listed({ start: 1, end: 2 })).toEqual([]);
    await expect(client.pauseCheck(uuid)).rejects.toThrow();
  });

  test('pings, and sees what a ping answers', async () => {
    const { uuid } = await knell.create();
    const client: PingClient = new HealthChecksPingClient({
      uuid,
      baseUrl: `${knell.app.httpUrl}/ping`,
      returnResponse: true,
    });
    expect(await client.start()).toBe('OK');
    expect(await client.success('all done')).toBe('OK');
    expect(await client.fail('disk is full')).toBe('OK');
    expect(await client.fail()).toBe('OK');
    expect(await client.success()).toBe('OK');
    const logged = await knell.pings(uuid);
    expect(logged.map(({ type, method }: Json) => `${method} ${type}`)).toEqual([
      'GET success',
      'GET fail',
      'POST fail',
      'POST success',
      'GET start',
    ]);
    const body = await knell.api('GET', `/api/v3/checks/${uuid}/pings/3/body`);
    expect(body.text).toBe('disk is full');
  });
});
