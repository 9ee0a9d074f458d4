/**
 * All listeners of a Knell: HTTP twice, mail, metrics. They open one after the other and close in the same span of time: one
 * after the other could take twice as long as there is.
 * Not here: what each serves (`http-listeners`, `mail-listener`).
 */
import type { Config } from '../config.ts';
import { limits } from '../config.ts';
import { MetricsServer, metricsPath } from '../http/monitoring/metrics-routes.ts';
import type { Meter } from '../lib/meter.ts';
import type { OwnBaseUrl } from './core.ts';
import { openHttp, type Served } from './http-listeners.ts';
import type { ListenerSettings } from './listener-settings.ts';
import { openMail } from './mail-listener.ts';

export interface Addresses {
  /** `http://host:port` of the listener, with its real port. */
  readonly httpUrl: string;
  /** The same of the second HTTP listener; null where there is none. */
  readonly compatUrl: string | null;
  /** URL of the metrics, if they have a listener of their own. */
  readonly metricsUrl: string | null;
  /** `host:port` of the mail listener, or `off`. */
  readonly smtp: string;
}

export interface Listeners {
  /** Opens them. From then on `base` has the real port. */
  listen(base: OwnBaseUrl): Promise<Addresses>;
  stop(): Promise<void>;
}

export async function openListeners(served: Served, settings: ListenerSettings): Promise<Listeners> {
  const { config } = settings;
  const mail = config.smtp === null ? null : openMail(served.pings, settings);
  const http = await openHttp(served, settings);
  let metrics: MetricsListener | null = null;
  return {
    async listen(base) {
      metrics = await openMetrics(served.meter, config);
      const port = http.main.listen(config.http);
      base.listensOn(port);
      const compatPort = http.compat && config.httpCompat ? await http.compat.listen(config.httpCompat) : 0;
      const smtpPort = mail && config.smtp ? await mail.listen(config.smtp) : 0;
      const urlOf = (host: string, real: number): string => `${http.scheme}://${listening(host, real)}`;
      return {
        httpUrl: urlOf(config.http.host, port),
        compatUrl: config.httpCompat && http.compat ? urlOf(config.httpCompat.host, compatPort) : null,
        metricsUrl: metrics?.url ?? null,
        smtp: config.smtp ? listening(config.smtp.host, smtpPort) : 'off',
      };
    },
    async stop() {
      await metrics?.stop();
      await Promise.all([mail?.stop(limits.shutdownMs), http.stop(limits.shutdownMs)]);
    },
  };
}

interface MetricsListener {
  /** URL of the path, with its real port. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Null where the metrics have no listener of their own. */
async function openMetrics(meter: Meter, { metrics }: Config): Promise<MetricsListener | null> {
  if (!metrics || !('listen' in metrics)) return null;
  const server = new MetricsServer(meter, limits.metrics);
  const port = await server.listen(metrics.listen);
  return {
    url: `http://${listening(metrics.listen.host, port)}${metricsPath}`,
    stop: () => server.stop(),
  };
}

/** `host:port` as a URL writes it. */
function listening(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
