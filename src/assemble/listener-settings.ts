/** Settings with which every listener is opened. */
import type { Config } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';

export interface ListenerSettings {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Location of the built web page, if it is not beside this file. */
  readonly webUrl?: URL;
  /** Location of the mail reader, likewise. */
  readonly readWorkerUrl?: URL;
}
