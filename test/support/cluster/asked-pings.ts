/** Pings that a test asks for at clients of a `FakeCluster`, and what they were answered. */
import type { PingRequest } from '../../../src/engine/contract/engine.ts';
import { FakeCluster, type FakeNode, pingOf } from './fake-cluster.ts';

/** Outcomes by slug, in the order of their coming. */
export class AskedPings {
  readonly outcomes: [slug: string, outcome: string][] = [];

  ping(node: FakeNode, slug: string, more: Partial<PingRequest> = {}): void {
    node.forwarder.acceptPing(pingOf(slug, more), (outcome, who) => this.outcomes.push([who, outcome]), slug);
  }

  of(outcome: string): string[] {
    return this.outcomes.filter(([, found]) => found === outcome).map(([slug]) => slug);
  }
}

export function twoNodes(options: ConstructorParameters<typeof FakeCluster>[0] = {}) {
  const cluster = new FakeCluster(options);
  return { cluster, leader: cluster.node('leader'), client: cluster.node('client'), asked: new AskedPings() };
}
