/** The nodes of the cluster, as the one that owns the log knows them, while one looks. For owners. */
import { useEffect } from 'preact/hooks';
import { clockWords } from '../domain/clock-words.ts';
import type { ClusterView } from '../domain/page-view.ts';
import { Problem, Time } from './bits.tsx';
import { Panel } from './panel.tsx';
import { type Mark, Shape } from './status-mark.tsx';
import { useNow } from './use-now.ts';
import { capital } from './words.ts';
import './style/panels.css';

/** Nodes are asked for so often while the page is open: what they say of themselves is not published. */
const everyMs = 5000;

interface ClusterNodesProps extends ClusterView {
  readonly offsetMs: number;
  readonly reload: () => void;
}

export function ClusterNodes({ nodes, offsetMs, reload }: ClusterNodesProps) {
  const nowMs = useNow(offsetMs);
  const running = nodes.filter(({ isAlive }) => isAlive).length;
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && reload(), everyMs);
    return () => clearInterval(timer);
  }, [reload]);
  return (
    <Panel title="Cluster" help={`${running} of ${nodes.length} nodes are running.`} look="full">
      <ul class="nodes">
        {nodes.map((node) => (
          <Node key={node.name} node={node} nowMs={nowMs} />
        ))}
      </ul>
    </Panel>
  );
}

function Node({ node, nowMs }: { readonly node: ClusterView['nodes'][number]; readonly nowMs: number }) {
  const { name, role, isAlive, lag, version, startedAtMs, saidAtMs } = node;
  const troubles = troublesOf(node);
  const mark = troubles.length > 0 && isAlive ? 'late' : 'up';
  return (
    <li>
      <div>
        <Shape of={isAlive ? (roleMarks[role] ?? mark) : 'down'} size={16} />
        <strong>{name}</strong>
        <span class="role">{isAlive ? roleWords[role] : 'Gone'}</span>
      </div>
      <p class="faint">
        {lag === 0 ? 'Up to date' : `${lag.toLocaleString()} ${lag === 1 ? 'entry' : 'entries'} behind`} ·
        version {version} · {isAlive ? 'started' : 'last seen'}{' '}
        <Time atMs={isAlive ? startedAtMs : saidAtMs} nowMs={nowMs} />
      </p>
      <Problem text={troubles.join(' ')} />
    </li>
  );
}

function troublesOf({ isAlive, aheadMs, lastError }: ClusterView['nodes'][number]): string[] {
  const clock = isAlive ? clockWords(aheadMs) : '';
  const error = lastError && `${capital(lastError)}.`;
  return [clock && `Its clock is ${clock}: let all nodes follow one time server.`, error].filter(
    (part) => part !== '',
  );
}

const roleWords = {
  starting: 'Starting',
  standby: 'Standby',
  owner: 'Owner',
  stopped: 'Stopped',
} as const;

/** Where the role alone says how the node is. */
const roleMarks: Partial<Record<keyof typeof roleWords, Mark>> = { starting: 'new', stopped: 'down' };
