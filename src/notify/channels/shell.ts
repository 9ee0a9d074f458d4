/**
 * A command on this machine; off unless the operator has switched it on.
 * Invariant: what a check is called is never part of the command: the placeholders are environment variables, which the
 * shell itself puts in their places, as values.
 */

import { spawn } from 'node:child_process';
import { tagsOf } from '../../domain/check/check.ts';
import { channelFields } from '../../integrations/channel-value.ts';
import type { Notice, Outcome, Send } from '../contract/channel.ts';
import { delivered } from '../contract/channel.ts';
import { variableBytesMax } from '../contract/limits.ts';
import { placeholderValue } from './webhook.ts';

const names = [
  ...['CODE', 'CHECK_URL', 'STATUS', 'NOW', 'NAME', 'TAGS', 'SLUG', 'BODY', 'EXITSTATUS', 'JSON'],
] as const;

export function shellSender(isOn: boolean, totalMs: number): Send {
  return async (notice, signal) => {
    if (!isOn) return { kind: 'refused', error: 'shell integrations need KNELL_SHELL_CHANNELS=on' };
    const command = channelFields('shell', notice.channel.value)[
      notice.notificationKind === 'up' ? 'cmd_up' : 'cmd_down'
    ];
    if (typeof command !== 'string' || command === '')
      return { kind: 'refused', error: 'the integration has no command for this event' };
    return run(command, notice, AbortSignal.any([signal, AbortSignal.timeout(totalMs)]));
  };
}

/** Its own variables and no others: the environment of Knell holds secrets. */
function environmentOf(notice: Notice): Record<string, string> {
  const variables: Record<string, string> = {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    DELIVERY: notice.deliveryId,
  };
  for (const name of names) variables[name] = fitting(placeholderValue(name, notice) ?? '');
  for (const [index, tag] of tagsOf(notice.check.config).entries())
    variables[`TAG${index + 1}`] = fitting(tag);
  return variables;
}

/** No zero bytes, which end a variable. */
function fitting(text: string): string {
  return Buffer.from(text.replaceAll('\0', '')).subarray(0, variableBytesMax).toString();
}

function run(command: string, notice: Notice, signal: AbortSignal): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', command], {
      env: environmentOf(notice),
      stdio: 'ignore',
      detached: true,
    });
    const kill = (): void => {
      // The group: a command may have started others.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    };
    signal.addEventListener('abort', kill, { once: true });
    child.once('error', () => resolve({ kind: 'failed', error: 'the command could not be started' }));
    child.once('exit', (code, killedBy) => {
      signal.removeEventListener('abort', kill);
      const error =
        killedBy === null ? `the command ended with ${code}` : `the command was ended by ${killedBy}`;
      resolve(code === 0 ? delivered : { kind: 'failed', error });
    });
  });
}
