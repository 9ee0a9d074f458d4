/** Other services that a command of a crontab pings already. */
import { expect, test } from 'vitest';
import { servicePingedIn } from '../../../src/domain/crontab/known-services.ts';

test.each([
  ['backup.sh && curl -fsS https://hc-ping.com/1b2c', 'hc-ping.com'],
  ['curl -m 10 "https://CRONITOR.link/p/abc/job"', 'cronitor.link'],
  ["wget 'https://me@o1.ingest.sentry.io/api/2/cron/x'", 'o1.ingest.sentry.io'],
  ['curl https://nothc-ping.com/1', ''],
  ['curl https://example.org/?to=hc-ping.com', ''],
  ['backup.sh', ''],
])('of %s is %s', (command, host) => {
  expect(servicePingedIn(command)).toBe(host);
});
