/** The health check of the container image, which asks the server where the variables say that it listens. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Knell } from '../support/knell.ts';
import { tempDir } from '../support/temp-dirs.ts';
import { selfSigned } from '../support/wire/certificate.ts';

const script = fileURLToPath(new URL('../../scripts/docker/healthcheck.js', import.meta.url));

/** The exit status: 0 healthy, 1 not. */
async function health(env: Readonly<Record<string, string>>): Promise<number> {
  const child = spawn(process.execPath, [script], { env: { PATH: process.env.PATH, ...env } });
  const [status] = await once(child, 'exit');
  return status;
}

describe('the health check of the image', () => {
  let knell: Knell;
  beforeAll(async () => {
    knell = await Knell.start();
  });
  afterAll(() => knell.stop());

  test.each(['127.0.0.1', '0.0.0.0', 'localhost'])('finds Knell that listens on %s', async (host) => {
    const { port } = new URL(knell.app.httpUrl);
    expect(await health({ KNELL_HTTP: `${host}:${port}` })).toBe(0);
  });

  test('fails where nothing listens, and where Knell cannot write', async () => {
    const full = createServer((_request, response) => response.writeHead(500).end());
    await once(full.listen(0, '127.0.0.1'), 'listening');
    const address = `127.0.0.1:${(full.address() as AddressInfo).port}`;
    expect(await health({ KNELL_HTTP: address })).toBe(1);
    full.close();
    full.closeAllConnections();
    await once(full, 'close');
    expect(await health({ KNELL_HTTP: address })).toBe(1);
  });
});

test('finds a Knell that speaks TLS, whatever name its certificate has', async () => {
  const { certFile, keyFile } = selfSigned(tempDir());
  const env = { KNELL_HTTP_TLS_CERT: certFile, KNELL_HTTP_TLS_KEY: keyFile };
  const knell = await Knell.start({ env });
  const { port } = new URL(knell.app.httpUrl);
  try {
    expect(await health({ ...env, KNELL_HTTP: `127.0.0.1:${port}` })).toBe(0);
  } finally {
    await knell.stop();
  }
});
