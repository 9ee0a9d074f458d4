/** The benches that `npm test` leaves out still run. */
import { beforeAll, test } from 'vitest';
import { buildBenches, runSmoke, slowGroups } from '../support/smoke-benches.ts';

beforeAll(buildBenches);

/** Some at a time: half of a smoke run is waiting. */
test.concurrent.each(slowGroups)('$names run in smoke mode and lose nothing', (group) => runSmoke(group));
