/**
 * `GET /metrics`: the values of the meter, for Prometheus. It is on a listener of its own without a key, or beside all other
 * paths for clients with the key. `lib/meter` measures; `project-metrics` has the checks of a project.
 * Invariant: no answer may be kept by a cache.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ListenAddress } from '../../lib/addresses.ts';
import { expositionTypes, formatFor, renderMetrics } from '../../lib/exposition.ts';
import type { Meter } from '../../lib/meter.ts';
import { bearerToken, isSameSecret } from '../wire/bearer.ts';
import type { HttpReply, HttpRequest } from '../wire/message.ts';
import { cannotListen } from '../wire/probe-port.ts';
import { neverCached, text } from '../wire/replies.ts';

type MeterReads = Pick<Meter, 'collect'>;

export const metricsPath = '/metrics';

/** Replies to a request that must have the key. */
export function keyedMetrics(
  meter: MeterReads,
  key: string,
  { headers }: Pick<HttpRequest, 'headers'>,
): HttpReply {
  const token = bearerToken(headers.authorization ?? '');
  if (token === null)
    return text(401, 'send the key of KNELL_METRICS in the header Authorization: Bearer', [
      ['WWW-Authenticate', 'Bearer'],
    ]);
  return isSameSecret(token, key) ? metricsReply(meter, headers.accept ?? '') : text(403, 'wrong key');
}

function metricsReply(meter: MeterReads, accept: string): HttpReply {
  const format = formatFor(accept);
  return {
    status: 200,
    headers: [
      ['Content-Type', expositionTypes[format]],
      ['Cache-Control', neverCached],
      ['Vary', 'Accept'],
    ],
    body: renderMetrics(meter.collect(), format),
  };
}

export interface MetricsServerLimits {
  readonly connectionsMax: number;
  readonly headersMs: number;
}

/** A listener that serves only the metrics. */
export class MetricsServer {
  readonly #server: Server;

  constructor(meter: MeterReads, { connectionsMax, headersMs }: MetricsServerLimits) {
    this.#server = createServer(
      { headersTimeout: headersMs, requestTimeout: headersMs },
      (request, response) => write(request, response, replyTo(meter, request)),
    );
    this.#server.maxConnections = connectionsMax;
  }

  /** Resolves to the port. Rejects with a KnellError `port-in-use`. */
  listen(address: ListenAddress): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', (cause) => reject(cannotListen(address, cause)));
      this.#server.listen({ ...address, exclusive: true }, () => {
        // The address of a server that listens on a port is never a path.
        resolve((this.#server.address() as AddressInfo).port);
      });
    });
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }
}

function replyTo(meter: MeterReads, { method, url = '', headers }: IncomingMessage): HttpReply {
  if (url.split('?')[0] !== metricsPath) return text(404, `not found: the metrics are at ${metricsPath}`);
  if (method !== 'GET' && method !== 'HEAD') return text(405, 'method not allowed', [['Allow', 'GET, HEAD']]);
  return metricsReply(meter, headers.accept ?? '');
}

function write(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: HttpReply,
): void {
  for (const [name, value] of headers) response.setHeader(name, value);
  response.writeHead(status).end(request.method === 'HEAD' ? undefined : body);
}
