/** What `knell doctor` asks of the running server, over its socket. Opens no store: it may be in need of a doctor. */
import type { Config } from '../../config.ts';
import { messageOf } from '../../lib/errors.ts';
import { runningServer } from '../io/admin-client.ts';
import { type Finding, failed, ok, warning } from './doctor-finding.ts';

export interface ServerAnswers {
  readonly finding: Finding;
  /** Null: no server runs. */
  readonly baseUrl: string | null;
  /** A path that only this server answers, and once. Null: none runs. */
  readonly echo: string | null;
  readonly outbox: Finding | null;
}

interface ServerInfo {
  readonly base_url: string;
  readonly node: string;
  readonly echo: string;
}

export async function askServer(config: Config): Promise<ServerAnswers> {
  try {
    const ask = (command: string): Promise<unknown> => runningServer(config, { command, args: {} });
    const info = (await ask('server info')) as ServerInfo | null;
    if (info === null) {
      const finding = warning('server', `none is running on ${config.dataDir}`, 'start it: knell serve');
      return { finding, baseUrl: null, echo: null, outbox: null };
    }
    const deliveries = (await ask('outbox list')) as readonly { readonly state: string }[];
    const finding = ok('server', `running with Node ${info.node}`);
    return { finding, baseUrl: info.base_url, echo: info.echo, outbox: outboxFinding(deliveries) };
  } catch (error) {
    const finding = failed('server', messageOf(error), 'run this as the user that runs Knell');
    return { finding, baseUrl: null, echo: null, outbox: null };
  }
}

function outboxFinding(deliveries: readonly { readonly state: string }[]): Finding {
  const dead = deliveries.filter(({ state }) => state === 'dead').length;
  const text = `${deliveries.length - dead} pending, ${dead} failed`;
  return dead === 0 ? ok('outbox', text) : warning('outbox', text, 'see knell outbox list');
}
