/** What every listener is opened with. */
import type { Config } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';

export interface ListenerSettings {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Where the built web page is, when that is not beside this file. */
  readonly webUrl?: URL;
  /** Likewise the mail reader's. */
  readonly readWorkerUrl?: URL;
}
