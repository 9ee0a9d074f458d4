/** Eclipse Mosquitto, a broker of MQTT, where this machine has it: on free ports of loopback, with one user. */
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../patience.ts';
import { KeptProcess } from '../process/kept-process.ts';
import { selfSigned } from './certificate.ts';
import { freePort } from './free-port.ts';

const program = ['mosquitto', '/usr/sbin/mosquitto'].find(
  (file) => spawnSync(file, ['-h']).error === undefined,
);

/** For `describe.skipIf(!…)`, whose title says what is missing. */
export const hasMosquitto =
  program !== undefined && spawnSync('mosquitto_sub', ['--help']).error === undefined;

export const user = 'knell';
export const password = 'correct:horse';

export interface RetainedMessage {
  readonly topic: string;
  readonly payload: unknown;
}

export class Mosquitto {
  readonly url: string;
  readonly tlsUrl: string;
  readonly #process: KeptProcess;
  readonly #port: number;

  private constructor(process: KeptProcess, port: number, tlsPort: number) {
    this.#process = process;
    this.#port = port;
    this.url = `mqtt://127.0.0.1:${port}`;
    this.tlsUrl = `mqtts://127.0.0.1:${tlsPort}`;
  }

  static async start(dir: string): Promise<Mosquitto> {
    const [port, tlsPort] = [await freePort(), await freePort()];
    const { certFile, keyFile } = selfSigned(dir);
    const passwords = join(dir, 'passwords');
    execFileSync('mosquitto_passwd', ['-c', '-b', passwords, user, password]);
    const lines = [
      ...['allow_anonymous false', `password_file ${passwords}`, 'user root'],
      `listener ${port} 127.0.0.1`,
      ...[`listener ${tlsPort} 127.0.0.1`, `certfile ${certFile}`, `keyfile ${keyFile}`],
    ];
    const file = join(dir, 'mosquitto.conf');
    writeFileSync(file, `${lines.join('\n')}\n`);
    const process = new KeptProcess(program ?? '', ['-c', file], { stdio: 'ignore' });
    const mosquitto = new Mosquitto(process, port, tlsPort);
    await eventually(() => mosquitto.retained());
    return mosquitto;
  }

  /** The last message of each topic that has one. */
  retained(): readonly RetainedMessage[] {
    const given = ['-h', '127.0.0.1', '-p', String(this.#port), '-u', user, '-P', password];
    const { status, stdout } = spawnSync(
      'mosquitto_sub',
      [...given, '-t', '#', '--retained-only', '-W', '1', '-F', '%t %p'],
      { encoding: 'utf8' },
    );
    // 27: the time is over.
    if (status !== 0 && status !== 27) throw new Error(`mosquitto_sub ended with ${status}`);
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [, topic = '', payload = ''] = /^(\S+) (.*)$/.exec(line) ?? [];
        return { topic, payload: JSON.parse(payload) };
      });
  }

  async stop(): Promise<void> {
    await this.#process.end('SIGTERM');
  }
}
