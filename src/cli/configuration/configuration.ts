/** The configuration of a Knell, asked for part by part. */
import { createHmac } from 'node:crypto';
import type { Actual, ActualProject } from '../../apply/actual.ts';
import type {
  ConfiguredCheck,
  ConfiguredProject,
  ConfiguredStatusPage,
  ShownChecks,
  ShownConfiguration,
} from '../../domain/configuration/configuration.ts';
import type { NamedCommands } from '../io/admin-client.ts';

export interface ActualConfiguration {
  readonly actual: Actual;
  /** As the server made those of its secrets; the text itself where there are none. */
  readonly fingerprint: (text: string) => string;
}

export async function readConfiguration(
  session: NamedCommands,
  secrets: boolean,
): Promise<ActualConfiguration> {
  const { salt, projects, users } = (await session.run('config show', { secrets })) as ShownConfiguration;
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
    const page = (await session.run('config show', { project, after })) as ShownChecks;
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
    const page = (await session.run('config show', { status_page: id })) as ConfiguredStatusPage | null;
    // Deleted meanwhile.
    if (page) pages.push(page);
  }
  return pages;
}
