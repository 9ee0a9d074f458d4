/** The commands about checks against one Knell with the projects `default` and `other`, over its socket or remotely. */
import { expect } from 'vitest';
import { Knell } from '../knell.ts';
import { CommandRunner, type Run } from './commands.ts';

export class CheckCommands {
  readonly knell: Knell;
  readonly runner: CommandRunner;

  private constructor(knell: Knell, runner: CommandRunner) {
    this.knell = knell;
    this.runner = runner;
  }

  static async start(): Promise<CheckCommands> {
    const commands = new CheckCommands(await Knell.start(), CommandRunner.start());
    await commands.run('project', 'create', 'other');
    return commands;
  }

  async stop(): Promise<void> {
    await this.runner.stop();
    await this.knell.stop();
  }

  local(): Record<string, string> {
    return { KNELL_DATA_DIR: this.knell.dataDir };
  }

  remote(key = this.knell.keys.readWrite): Record<string, string> {
    return { KNELL_SERVER: `${this.knell.app.httpUrl}/`, KNELL_API_KEY: key };
  }

  readonly run = (...args: string[]): Promise<Run> => this.runner.run(args, this.local());
  readonly runRemotely = (...args: string[]): Promise<Run> => this.runner.run(args, this.remote());

  /** The result as JSON; fails when there is none. */
  readonly json = async (...args: string[]) => {
    const { status, stdout, stderr } = await this.run(...args, '--json');
    expect([status, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  };

  /** In the project `default`. */
  readonly create = (name: string, ...args: string[]) =>
    this.json('check', 'create', name, '--project', 'default', ...args);

  async deleteChecks(): Promise<void> {
    const checks: readonly { readonly uuid: string }[] = await this.json('check', 'list');
    if (checks.length > 0) await this.run('check', 'delete', ...checks.map(({ uuid }) => uuid), '--yes');
  }
}
