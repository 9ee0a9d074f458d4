/** Asks the running server over its socket for `knell doctor`. It opens no store, which may be damaged. */
import type { Config } from '../../config.ts';
import { messageOf } from '../../lib/errors.ts';
import { askRunningServer } from '../io/admin-client.ts';
import { type Finding, failed, ok, warning } from './doctor-finding.ts';
import type { MailServerThere } from './doctor-mail.ts';

export interface ServerAnswers {
  readonly finding: Finding;
  /** Base URL of the running server; null if none runs. */
  readonly baseUrl: string | null;
  /** Where it listens; null if none runs. */
  readonly listens: Pick<Config, 'http' | 'httpCompat' | 'smtp'> | null;
  /** A path that only this server answers, and only once; null if none runs. */
  readonly echo: string | null;
  readonly outbox: Finding | null;
  /** That of the running server, which may be set on its page; null if it has none, or none runs. */
  readonly mailServer: MailServerThere | null;
}

const unknown = { baseUrl: null, listens: null, echo: null, outbox: null, mailServer: null } as const;

export async function askServer(config: Config): Promise<ServerAnswers> {
  try {
    const info = await askRunningServer(config, 'server info', {});
    if (info === null) {
      const finding = warning('server', `none is running on ${config.dataDir}`, 'start it: knell serve');
      return { finding, ...unknown };
    }
    const deliveries = (await askRunningServer(config, 'outbox list', {})) ?? [];
    const finding = ok('server', `running with Node ${info.node}`);
    return {
      finding,
      baseUrl: info.base_url,
      listens: { ...info.listens, httpCompat: info.listens.http_compat },
      echo: info.echo,
      outbox: outboxFinding(deliveries),
      mailServer: info.mail_server,
    };
  } catch (error) {
    const finding = failed('server', messageOf(error), 'run this as the user that runs Knell');
    return { finding, ...unknown };
  }
}

function outboxFinding(deliveries: readonly { readonly state: string }[]): Finding {
  const dead = deliveries.filter(({ state }) => state === 'dead').length;
  const text = `${deliveries.length - dead} pending, ${dead} failed`;
  return dead === 0 ? ok('outbox', text) : warning('outbox', text, 'see knell outbox list');
}
