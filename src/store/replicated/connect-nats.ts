/** placeholder until merged */
import type { ClusterLink } from '../../cluster/link.ts';
import type { Logger } from '../../lib/logger.ts';

export async function connectNats(_: {
  readonly cluster: readonly string[];
  readonly clusterName: string;
  readonly clusterCa: string | null;
  readonly name: string;
  readonly logger: Logger;
}): Promise<ClusterLink> {
  throw new Error('none');
}
