/** Reads the configuration of a Knell, with a request for each of its parts. */
import { createHmac } from 'node:crypto';
import type { Actual, ActualProject } from '../../apply/actual.ts';
import type { CommandResult } from '../../commands/table.ts';
import type {
  ConfiguredCheck,
  ConfiguredProject,
  ConfiguredStatusPage,
} from '../../domain/configuration/configuration.ts';
import { KnellError } from '../../lib/errors.ts';
import type { NamedCommands } from '../io/admin-client.ts';

export interface ActualConfiguration {
  readonly actual: Actual;
  /** Computes the fingerprint of a text as the server does for its secrets; returns the text itself where the server has none. */
  readonly fingerprint: (text: string) => string;
}

export async function readConfiguration(
  session: NamedCommands,
  secrets: boolean,
): Promise<ActualConfiguration> {
  const shown = await session.run('config show', { secrets });
  if (shown === null || !('salt' in shown)) throw unknownAnswer();
  const { salt, projects, users } = shown;
  const whole: ActualProject[] = [];
  for (const project of projects) {
    const checks = await checksOf(session, project.id);
    whole.push({ ...project, checks, statusPages: await statusPagesOf(session, project) });
  }
  const fingerprint = (text: string): string =>
    salt === '' ? text : createHmac('sha256', salt).update(text).digest('hex');
  return { actual: { projects: whole, users }, fingerprint };
}

async function checksOf(session: NamedCommands, project: string): Promise<readonly ConfiguredCheck[]> {
  const checks: ConfiguredCheck[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: CommandResult<'config show'> = await session.run('config show', { project, after });
    if (page === null || !('next' in page)) throw unknownAnswer();
    checks.push(...page.checks);
    after = page.next;
  }
  return checks;
}

async function statusPagesOf(
  session: NamedCommands,
  { statusPages }: ConfiguredProject,
): Promise<readonly ConfiguredStatusPage[]> {
  const pages: ConfiguredStatusPage[] = [];
  for (const id of statusPages) {
    const page = await session.run('config show', { status_page: id });
    // The page was deleted meanwhile.
    if (page === null) continue;
    if (!('slug' in page)) throw unknownAnswer();
    pages.push(page);
  }
  return pages;
}

function unknownAnswer(): KnellError {
  return new KnellError('conflict', 'the server does not show what it was asked for: is it another version?');
}
