/**
 * Collects the nodes' statuses for a command that is no node: it listens for a while and says nothing.
 */
import { systemClock } from '../../lib/clock.ts';
import { eventLoop } from '../../store/disk/scheduler.ts';
import type { Bus } from '../bus/bus.ts';
import { listenMs } from '../bus/limits.ts';
import { subjectsOf } from '../requests/subjects.ts';
import type { Holder } from './held.ts';
import { type KnownNode, NodeStatuses } from './node-status.ts';
import { rememberedIn } from './remembered-nodes.ts';

export async function nodesThatRun(bus: Bus, clusterName: string): Promise<readonly KnownNode[]> {
  const statuses = listenTo(bus, clusterName);
  await new Promise<void>((resolve) => eventLoop.after(listenMs, resolve));
  const nodes = statuses.nodes().filter(({ name }) => name !== '');
  statuses.stop();
  return nodes;
}

/** Nodes that run, and, by name, those that do not run but that the node of this data directory remembers. */
export function withRemembered(nodes: readonly KnownNode[], dataDir: string): readonly Holder[] {
  const names = new Set(nodes.map(({ name }) => name));
  const gone = rememberedIn(dataDir).filter(({ name }) => !names.has(name));
  return [...nodes, ...gone.map((node) => ({ ...node, isAlive: false }))].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
}

/** Says nothing itself: it is no node. */
function listenTo(bus: Bus, clusterName: string): NodeStatuses {
  return new NodeStatuses({
    bus: {
      messageBytesMax: bus.messageBytesMax,
      publish: () => {},
      subscribe: (subject, take) => bus.subscribe(subject, take),
    },
    subjects: subjectsOf(clusterName),
    scheduler: eventLoop,
    nowMs: () => systemClock.nowMs(),
    limits: {
      everyMs: listenMs,
      silenceMsMax: 2 * listenMs,
      goneKeptMs: 2 * listenMs,
      nodesMax: 100,
      reminderMs: listenMs,
    },
    own: () => ({
      name: '',
      id: -1,
      version: '',
      formats: {},
      role: 'stopped',
      epoch: 0,
      appliedSeq: 0,
      startedAtMs: 0,
      lastError: '',
      held: null,
    }),
  });
}
