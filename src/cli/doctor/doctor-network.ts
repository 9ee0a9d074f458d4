/**
 * The findings of `knell doctor` about the network: the ports of Knell, its base URL, certificates.
 * Invariant: every connection ends within its time, and the only request is a GET.
 */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { sendRequest } from '../../client/http-client.ts';
import type { Config } from '../../config.ts';
import { isLoopback } from '../../domain/words/web-address.ts';
import type { Echo } from '../../http/pings/echo-routes.ts';
import { probePort } from '../../http/wire/probe-port.ts';
import type { ListenAddress } from '../../lib/addresses.ts';
import { systemClock } from '../../lib/clock.ts';
import { messageOf } from '../../lib/errors.ts';
import { doctorLimits } from '../io/limits.ts';
import { type Finding, failed, ok, warning } from './doctor-finding.ts';

/** Checks a port: while a server runs it must answer; otherwise it must be free. */
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
    const socket = connect({ host, port: address.port, timeout: doctorLimits.waitMs });
    const refuse = (): void => {
      socket.destroy();
      resolve(failed(what, `${shown} does not answer`, 'see the log of the server'));
    };
    socket.once('error', refuse).once('timeout', refuse);
    socket.once('connect', () => {
      socket.destroy();
      resolve(ok(what, `${shown} answers${isLoopback(address.host) ? ', to this machine only' : ''}`));
    });
  });
}

/** Nothing is wrong with it where all jobs are here; for others something is missing. */
function hereOnly(baseUrl: string): string {
  return isLoopback(new URL(baseUrl).hostname)
    ? ', for this machine only: jobs and people on others need KNELL_HTTP and KNELL_BASE_URL'
    : '';
}

/** Requests an echo at the base URL and checks the proxies by the answer. Only this Knell answers at `path`. */
export async function baseUrlFindings(
  baseUrl: string,
  path: string,
  config: Pick<Config, 'http'>,
): Promise<readonly Finding[]> {
  const advice = 'set KNELL_BASE_URL to the URL by which jobs and people reach this Knell';
  const get = (at: string) =>
    sendRequest(new URL(baseUrl + at), { method: 'GET', timeoutMs: doctorLimits.waitMs });
  try {
    const { status, body } = await get(path);
    if (status === 200)
      return [
        ok('base URL', `${baseUrl} is this Knell${hereOnly(baseUrl)}`),
        ...proxyFindings(baseUrl, JSON.parse(body) as Echo, config),
      ];
    const isKnell = status === 404 && (await get('/api/v3/status/')).status === 200;
    return [failed('base URL', `${baseUrl} ${isKnell ? 'is another Knell' : `answers ${status}`}`, advice)];
  } catch (error) {
    const text = error instanceof SyntaxError ? `${baseUrl} is no Knell` : messageOf(error);
    return [failed('base URL', text, advice)];
  }
}

/** Checks the proxies by the headers with which a request of this machine came in through the base URL. */
export function proxyFindings(
  baseUrl: string,
  { trusted, forwarded, remote_addr, client_addr, scheme }: Echo,
  { http }: Pick<Config, 'http'>,
): readonly Finding[] {
  const url = new URL(baseUrl);
  const isHttps = url.protocol === 'https:';
  const port = Number(url.port) || (isHttps ? 443 : 80);
  if (forwarded !== '' && !trusted)
    return [
      failed(
        'proxy',
        `${client_addr} forwards addresses, and is not trusted: all clients count as one`,
        `add ${client_addr} to KNELL_TRUST_PROXY, if that is your proxy`,
      ),
    ];
  // On this machine a port may be mapped to another, as by a container.
  const isDirect = isLoopback(url.hostname) && !isHttps;
  if (forwarded === '' && port !== http.port && http.port !== 0 && !isDirect)
    return [
      warning(
        'proxy',
        `the base URL has port ${port}, Knell has ${http.port}, and no address is forwarded: clients count as ${client_addr}`,
        'if that is a proxy, let it send X-Forwarded-For',
      ),
    ];
  if (isHttps && scheme !== 'https')
    return [
      warning(
        'proxy',
        'the base URL is https, and the proxy does not say so',
        'let it send X-Forwarded-Proto: https',
      ),
    ];
  return [
    ok('proxy', forwarded === '' ? 'none' : `trusted; it forwards this machine's address as ${remote_addr}`),
  ];
}

export function certificateFinding(what: string, file: string): Finding {
  try {
    return expiryFinding(what, new X509Certificate(readFileSync(file)).validTo);
  } catch (error) {
    return failed(what, `${file}: ${messageOf(error)}`, 'give it a PEM file with the whole chain');
  }
}

/** Checks the certificate of the server at the base URL, which is a proxy or Knell. */
export function servedCertificateFinding(baseUrl: string): Promise<Finding> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    const options = {
      host: hostname,
      port: Number(port) || 443,
      servername: hostname,
      timeout: doctorLimits.waitMs,
    };
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

export function expiryFinding(what: string, validTo: string): Finding {
  const leftMs = Date.parse(validTo) - systemClock.nowMs();
  const text = `valid until ${validTo}`;
  if (leftMs <= 0) return failed(what, `expired: ${text}`, 'renew it');
  return leftMs < doctorLimits.renewalMs
    ? warning(what, text, 'renew it: fewer than 14 days are left')
    : ok(what, text);
}
