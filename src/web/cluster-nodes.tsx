/** The nodes of the cluster, as the one that owns the log knows them. For owners. */
import { clockWords } from '../domain/clock-words.ts';
import type { ClusterView } from '../domain/page-view.ts';
import { Time } from './bits.tsx';
import { Panel } from './panel.tsx';
import { useNow } from './use-now.ts';

export function ClusterNodes({ nodes, offsetMs }: ClusterView & { readonly offsetMs: number }) {
  const nowMs = useNow(offsetMs);
  const gone = nodes.filter(({ isAlive }) => !isAlive).length;
  return (
    <Panel title="Cluster" help={`${nodes.length - gone} of ${nodes.length} nodes are running.`} look="full">
      <table>
        <thead>
          <tr>
            <th scope="col">Node</th>
            <th scope="col">Role</th>
            <th scope="col">Behind</th>
            <th scope="col">Version</th>
            <th scope="col">Started</th>
          </tr>
        </thead>
        <tbody>
          {nodes.map(({ name, role, isAlive, lag, version, startedAtMs, aheadMs, lastError }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{isAlive ? roleWords[role] : 'Gone'}</td>
              <td>{lag === 0 ? 'no' : `${lag} entries`}</td>
              <td>{version}</td>
              <td>
                <Time atMs={startedAtMs} nowMs={nowMs} />
                {isAlive && clockWords(aheadMs) !== '' && (
                  <span role="alert"> Its clock is {clockWords(aheadMs)}.</span>
                )}
                {lastError !== '' && <span role="alert"> {lastError}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

const roleWords = {
  starting: 'Starting',
  standby: 'Standby',
  owner: 'Owner',
  stopped: 'Stopped',
} as const;
