/** Every bench there is, in the order in which it is run. */

import { catchUp } from './cluster/catch-up.ts';
import { cluster } from './cluster/cluster.ts';
import type { Bench } from './harness/bench.ts';
import { api } from './macro/api.ts';
import { events } from './macro/events.ts';
import { latency } from './macro/latency.ts';
import { lateness } from './macro/lateness.ts';
import { mails } from './macro/mails.ts';
import { manyChecks } from './macro/many-checks.ts';
import { pages } from './macro/pages.ts';
import { pingsBesideMail } from './macro/pings-beside-mail.ts';
import { search } from './macro/search.ts';
import { snapshots } from './macro/snapshots.ts';
import { throughput } from './macro/throughput.ts';
import { micro } from './micro/micro.ts';
import { deliveries } from './notify/deliveries.ts';
import { results } from './results.ts';

export const suite: readonly Bench[] = [
  micro,
  results,
  throughput,
  latency,
  manyChecks,
  lateness,
  api,
  mails,
  pingsBesideMail,
  pages,
  events,
  search,
  deliveries,
  snapshots,
  cluster,
  catchUp,
];
