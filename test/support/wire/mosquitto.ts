/** Eclipse Mosquitto, a broker of MQTT, where this machine has it: on free ports of loopback, with one user. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
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
    await eventually(() => mosquitto.#received('$SYS/broker/version', ['-C', '1']));
    return mosquitto;
  }

  /** The last message of each topic that has one. */
  async retained(): Promise<readonly RetainedMessage[]> {
    const lines = await this.#received('#', ['--retained-only', '-F', '%t %p']);
    return lines.map((line) => {
      const [, topic = '', payload = ''] = /^(\S+) (.*)$/.exec(line) ?? [];
      return { topic, payload: JSON.parse(payload) };
    });
  }

  /** The lines that `mosquitto_sub` prints of a topic within a second. */
  async #received(topic: string, args: readonly string[]): Promise<readonly string[]> {
    const given = ['-h', '127.0.0.1', '-p', String(this.#port), '-u', user, '-P', password];
    const child = spawn('mosquitto_sub', [...given, '-t', topic, '-W', '1', ...args], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    // 27: the time is over.
    if (status !== 0 && status !== 27) throw new Error(`mosquitto_sub ended with ${status}`);
    return output.split('\n').filter((line) => line !== '');
  }

  async stop(): Promise<void> {
    await this.#process.end('SIGTERM');
  }
}
