/** The nodes of the cluster, as their leader knows them, while one looks. Owners see them. */

import type { ClusterView } from '../../domain/views/page-view.ts';
import { capital } from '../../domain/words/capital.ts';
import { clockWords } from '../../domain/words/clock-words.ts';
import { useNow } from '../core/use-now.ts';
import { Problem, Time } from '../ui/bits.tsx';
import { Panel } from '../ui/panel.tsx';
import { type Mark, Shape } from '../ui/status-mark.tsx';

type Node = ClusterView['nodes'][number];

export function ClusterNodes({ nodes, offsetMs }: ClusterView & { readonly offsetMs: number }) {
  const nowMs = useNow(offsetMs);
  const running = nodes.filter(({ isAlive }) => isAlive).length;
  return (
    <Panel title="Cluster" help={`${running} of ${nodes.length} nodes are running.`} look="full">
      <ul class="plain">
        {nodes.map((node) => (
          <Line key={node.name} node={node} nowMs={nowMs} />
        ))}
      </ul>
    </Panel>
  );
}

function Line({ node, nowMs }: { readonly node: Node; readonly nowMs: number }) {
  const { name, role, isAlive, lag, version, startedAtMs, saidAtMs } = node;
  const trouble = troubleOf(node);
  return (
    <li class="line node">
      <Shape of={markOf(node, trouble)} size={16} />
      <strong>{name}</strong>
      <span class="tag">{isAlive ? roleWords[role] : 'Gone'}</span>
      <span class="faint">
        {lag === 0 ? 'Up to date' : `${lag.toLocaleString()} ${lag === 1 ? 'entry' : 'entries'} behind`} ·
        version {version} · {isAlive ? 'started' : 'last seen'}{' '}
        <Time atMs={isAlive ? startedAtMs : saidAtMs} nowMs={nowMs} />
      </span>
      <Problem text={trouble} />
    </li>
  );
}

/** Says in sentences what is wrong with a node; empty if nothing is. */
function troubleOf({ isAlive, aheadMs, lastError }: Node): string {
  const clock = isAlive ? clockWords(aheadMs) : '';
  const sentences = [
    clock && `Its clock is ${clock}: let all nodes follow one time server.`,
    lastError && `${capital(lastError)}.`,
  ];
  return sentences.filter(Boolean).join(' ');
}

function markOf({ role, isAlive }: Node, trouble: string): Mark {
  if (!isAlive || role === 'stopped') return 'down';
  if (role === 'starting') return 'new';
  return trouble === '' ? 'up' : 'late';
}

const roleWords = {
  starting: 'Starting',
  standby: 'Standby',
  leader: 'Leader',
  stopped: 'Stopped',
} as const;
