/**
 * Diagnostics, to stderr: JSON lines, or readable ones when stderr is a terminal. Not for anything a program reads.
 * Invariant: no key and no ping address is ever logged; code that logs a URL passes it through `redactUrl` first.
 */
import { destination, type Logger as PinoLogger, pino } from 'pino';

export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

export interface LoggerOptions {
  readonly level: string;
  /** Readable lines instead of JSON. */
  readonly pretty: boolean;
}

export function createLogger({ level, pretty }: LoggerOptions): Logger {
  if (!pretty) return pino({ level, base: null }, destination({ fd: 2, sync: true }));
  const transport = {
    target: 'pino-pretty',
    options: { destination: 2, ignore: 'pid,hostname', sync: true },
  };
  return pino({ level, base: null, transport });
}

/** Swallows everything: for tools that have their own way to speak. */
export const silentLogger: Logger = pino({ level: 'silent' });

const secretSegment = /\/(?:ping|checks|badge|b\/\d)\/[^?\s]*/g;

/** A request path without what must stay secret: ping and check identifiers, ping keys, slugs, query. */
export function redactUrl(path: string): string {
  const [bare = ''] = path.split('?', 1);
  return bare.replace(secretSegment, (hit) => `${hit.slice(0, hit.indexOf('/', 1))}/…`);
}
