/** The kind of integration that runs a shell command. */

import type { Kind } from '../contract/kind.ts';
import { titles } from '../contract/titles.ts';
import { parseObject } from '../contract/values.ts';

export const shell: Kind = {
  form: {
    title: titles.shell,
    help: 'Runs on the Knell server. Needs KNELL_SHELL_CHANNELS=on. $NAME, $STATUS, $BODY, … are environment variables.',
    steps: [
      'Set KNELL_SHELL_CHANNELS=on on the server: who may edit integrations may then run commands there.',
      'Try the command there as the user that Knell runs as, with NAME=test STATUS=down before it.',
      'Enter it with its whole path, and send a test: an exit status other than 0 is shown as an error.',
    ],
    keeps: 'json',
    fields: [
      { name: 'cmd_down', label: 'Command when a check goes down', input: 'lines' },
      { name: 'cmd_up', label: 'Command when a check recovers', input: 'lines' },
    ],
  },
  category: 'Custom',
  line: 'Runs a command on the server',
  icon: 'terminal',
  needs: ['shellChannels'],
  valueError: (value) => {
    const object = parseObject(value);
    return object?.cmd_down || object?.cmd_up ? null : 'a JSON object with "cmd_down" or "cmd_up"';
  },
  accepts: (value, direction) => (parseObject(value)?.[`cmd_${direction}`] ?? '') !== '',
};
