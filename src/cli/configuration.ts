/** The configuration of a Knell, asked for part by part. */
import { createHmac } from 'node:crypto';
import type { Actual, ActualProject } from '../apply/actual.ts';
import type { ConfiguredCheck, ShownChecks, ShownConfiguration } from '../domain/configuration.ts';
import type { NamedCommands } from './admin-client.ts';

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
  for (const project of projects) whole.push({ ...project, checks: await checksOf(session, project.id) });
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
