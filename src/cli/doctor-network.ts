/**
 * What `knell doctor` finds out about the ways to and from Knell: its ports, the base URL, certificates.
 * Invariant: every connection ends within its time, and nothing is sent beyond a GET.
 */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { sendRequest } from '../client/http-client.ts';
import type { Config } from '../config.ts';
import { probePort } from '../http/probe-port.ts';
import type { ListenAddress } from '../lib/addresses.ts';
import { systemClock } from '../lib/clock.ts';
import { messageOf } from '../lib/errors.ts';
import { day, second } from '../lib/units.ts';
import { type Finding, failed, ok, warning } from './doctor-finding.ts';

const timeoutMs = 5 * second;

/** While a server runs its ports must answer; otherwise they must be free. */
export async function portFinding(
  what: string,
  address: ListenAddress,
  isRunning: boolean,
): Promise<Finding> {
  const shown = `${address.host}:${address.port}`;
  if (address.port === 0) return ok(what, 'the system chooses the port');
  if (!isRunning) {
    return probePort(address).then(
      () => ok(what, `${shown} is free`),
      (error: unknown) => failed(what, messageOf(error), 'end the other program, or choose another port'),
    );
  }
  const host = ['0.0.0.0', '::'].includes(address.host) ? 'localhost' : address.host;
  return new Promise((resolve) => {
    const socket = connect({ host, port: address.port, timeout: timeoutMs });
    const refuse = (): void => {
      socket.destroy();
      resolve(
        failed(what, `${shown} does not answer`, 'does the server run with other settings than this shell?'),
      );
    };
    socket.once('error', refuse).once('timeout', refuse);
    socket.once('connect', () => {
      socket.destroy();
      resolve(ok(what, `${shown} answers`));
    });
  });
}

/** `proof`: a path that only this Knell answers, since it holds a secret of it. */
export async function baseUrlFinding(baseUrl: string, proof: string | null): Promise<Finding> {
  const advice = 'set KNELL_BASE_URL to the URL by which jobs and people reach this Knell';
  const get = (path: string) => sendRequest(new URL(baseUrl + path), { method: 'GET', timeoutMs });
  try {
    const { status } = await get('/api/v3/status/');
    if (status !== 200) return failed('base URL', `${baseUrl} answers ${status}`, advice);
    if (proof === null) return ok('base URL', `${baseUrl} answers`);
    if ((await get(proof)).status !== 200) return failed('base URL', `${baseUrl} is another Knell`, advice);
    return ok('base URL', `${baseUrl} is this Knell`);
  } catch (error) {
    return failed('base URL', messageOf(error), advice);
  }
}

/** A proxy is in front if the base URL has another port than Knell: then the clients' addresses come from its headers. */
export function proxyFinding(baseUrl: string, { http }: Pick<Config, 'http'>): Finding {
  const url = new URL(baseUrl);
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  if (port === http.port || http.port === 0) return ok('proxy', 'none: the base URL has the port of Knell');
  if (['127.0.0.1', 'localhost', '::1'].includes(http.host))
    return ok('proxy', 'on this machine, which is trusted');
  const advice =
    'KNELL_TRUST_PROXY must contain the address of the proxy: otherwise all clients count as one';
  return warning('proxy', `the base URL has port ${port}, Knell has ${http.port}`, advice);
}

export function certificateFinding(what: string, file: string): Finding {
  try {
    return expiryFinding(what, new X509Certificate(readFileSync(file)).validTo);
  } catch (error) {
    return failed(what, `${file}: ${messageOf(error)}`, 'give it a PEM file with the whole chain');
  }
}

/** Of what answers at the base URL: a proxy, or Knell. */
export function servedCertificateFinding(baseUrl: string): Promise<Finding> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    const options = { host: hostname, port: Number(port) || 443, servername: hostname, timeout: timeoutMs };
    const socket = connectTls(options, () => {
      socket.destroy();
      resolve(expiryFinding('certificate', socket.getPeerCertificate().valid_to));
    });
    const refuse = (error?: Error): void => {
      socket.destroy();
      resolve(
        failed(
          'certificate',
          error?.message ?? `${hostname} does not answer`,
          'renew it, with the whole chain',
        ),
      );
    };
    socket.once('error', refuse).once('timeout', () => refuse());
  });
}

const renewalMs = 14 * day;

export function expiryFinding(what: string, validTo: string): Finding {
  const leftMs = Date.parse(validTo) - systemClock.nowMs();
  const text = `valid until ${validTo}`;
  if (leftMs <= 0) return failed(what, `expired: ${text}`, 'renew it');
  return leftMs < renewalMs ? warning(what, text, 'renew it: fewer than 14 days are left') : ok(what, text);
}
