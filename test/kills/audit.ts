/**
 * Whether a cluster has kept what it acknowledged: compares what its API shows with what clients sent. Throws at the first
 * thing that is wrong.
 */
import type { Cluster } from './cluster.ts';
import type { Job } from './load.ts';

export interface Audited {
  readonly acknowledged: number;
  readonly recorded: number;
  /** Acknowledged and not in the log: the first few, by number. */
  readonly lost: readonly string[];
}

interface ShownPing {
  readonly n: number;
  readonly ua: string;
}

/** Also that nothing is counted twice, nothing was never sent, and `n` has no gap. */
export async function audit(cluster: Cluster, jobs: readonly Job[]): Promise<Audited> {
  const all = await Promise.all(jobs.map((job) => auditOne(cluster, job)));
  return {
    acknowledged: all.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
    recorded: all.reduce((sum, { recorded }) => sum + recorded, 0),
    lost: all.flatMap(({ lost }) => lost),
  };
}

async function auditOne(cluster: Cluster, { uuid, attempts }: Job): Promise<Audited> {
  const path = `/api/v3/checks/${uuid}`;
  const { pings } = await cluster.ask<{ readonly pings: readonly ShownPing[] }>('GET', `${path}/pings/`);
  const { n_pings: count } = await cluster.ask<{ readonly n_pings: number }>('GET', path);
  const log = [...pings].reverse();
  if (count !== log.length)
    throw new Error(
      `${uuid}: n_pings is ${count}, the log has ${log.length}: ${log.map(({ n, ua }) => `${n} ${ua}`)}`,
    );
  const wrong = log.findIndex(({ n }, at) => n !== at + 1);
  if (wrong >= 0) throw new Error(`${uuid}: entry ${wrong} of the log has n ${log[wrong]?.n}`);
  const numbers = log.map(({ ua }) => Number(/^attempt-(\d+)$/.exec(ua)?.[1]));
  const recorded = new Set(numbers);
  if (recorded.size < numbers.length)
    throw new Error(`${uuid}: counted twice: ${numbers.filter((one, at) => numbers.indexOf(one) < at)}`);
  const stray = numbers.find((number) => !(number >= 1 && number <= attempts.length));
  if (stray !== undefined) throw new Error(`${uuid}: nobody sent attempt ${stray}`);
  const acknowledged = attempts.flatMap(({ status }, at) => (status === 200 ? [at + 1] : []));
  const lost = acknowledged.filter((number) => !recorded.has(number));
  return {
    acknowledged: acknowledged.length,
    recorded: recorded.size,
    lost: lost.map((number) => `${uuid} ${number}`),
  };
}
