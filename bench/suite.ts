/** Every bench there is, in the order in which it is run. Its modules, the server's among them, are loaded when it is. */
import type { Bench } from './harness/bench.ts';

export const suite: readonly Bench[] = [
  {
    name: 'micro',
    about: 'the small things, in nanoseconds',
    run: async (context) => (await import('./micro/micro.ts')).run(context),
  },
  {
    name: 'results',
    about: 'finding results in 100 kB of any output, at worst',
    run: async (context) => (await import('./results.ts')).run(context),
  },
  {
    name: 'throughput',
    about: 'pings a second against bare uWebSockets.js',
    run: async (context) => (await import('./macro/throughput.ts')).run(context),
  },
  {
    name: 'latency',
    about: 'how long durable pings take at fixed offered rates, 64 connections',
    run: async (context) => (await import('./macro/latency.ts')).run(context),
  },
  {
    name: 'many-checks',
    about: 'what many checks cost: pings, memory, time to ready after kill -9',
    run: async (context) => (await import('./macro/many-checks.ts')).run(context),
  },
  {
    name: 'lateness',
    about: 'deadlines that come due while pings pour in',
    run: async (context) => (await import('./macro/lateness.ts')).run(context),
  },
  {
    name: 'api',
    about: 'calls of the management API, with and without pings',
    run: async (context) => (await import('./macro/api.ts')).run(context),
  },
  {
    name: 'mails',
    about: 'durable email pings against a bare smtp-server that drops them',
    run: async (context) => (await import('./macro/mails.ts')).run(context),
  },
  {
    name: 'pings-beside-mail',
    about: 'HTTP pings while mail pours in, against none',
    run: async (context) => (await import('./macro/pings-beside-mail.ts')).run(context),
  },
  {
    name: 'pages',
    about: 'pings while pages are open, against none; how soon a page shows what has happened',
    run: async (context) => (await import('./macro/pages.ts')).run(context),
  },
  {
    name: 'events',
    about: 'pings beside a thousand listeners to events, against none',
    run: async (context) => (await import('./macro/events.ts')).run(context),
  },
  {
    name: 'search',
    about: 'searches over outputs: the first hits, the whole of them, and what pings take meanwhile',
    run: async (context) => (await import('./macro/search.ts')).run(context),
  },
  {
    name: 'deliveries',
    about: 'webhooks: from the deadline to the receiver, and thousands at once',
    run: async (context) => (await import('./notify/deliveries.ts')).run(context),
  },
  {
    name: 'snapshots',
    about: 'snapshot and restore, and pings meanwhile',
    run: async (context) => (await import('./macro/snapshots.ts')).run(context),
  },
  {
    name: 'cluster',
    about: 'three Knells and three nats-servers: pings by client and by message, take-overs',
    run: async (context) => (await import('./cluster/cluster.ts')).run(context),
  },
  {
    name: 'catch-up',
    about: 'a node of a cluster that was away reads what it missed',
    run: async (context) => (await import('./cluster/catch-up.ts')).run(context),
  },
];
