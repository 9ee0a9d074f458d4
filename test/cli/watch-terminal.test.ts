/** `knell watch` at a terminal: a real one, from util-linux's `script`, where that is installed. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { eventually } from '../support/patience.ts';
import { builtFile } from '../support/process/built.ts';
import { CheckCommands } from '../support/process/check-commands.ts';

const hasTerminal = /util-linux/.test(String(spawnSync('script', ['--version']).stdout));

test.runIf(hasTerminal)(
  'the table has a column for what is acknowledged or snoozed, while anything is',
  async () => {
    const commands = await CheckCommands.start();
    await commands.create('job');
    const quoted = [process.execPath, builtFile('main.js'), 'watch', '--every', '100ms'].map(
      (word) => `'${word}'`,
    );
    const { dataDir } = commands.knell;
    const child = spawn('script', ['-qec', `stty rows 24 cols 120; exec ${quoted.join(' ')}`, '/dev/null'], {
      env: { PATH: process.env.PATH, TERM: 'xterm', KNELL_DATA_DIR: dataDir },
    });
    /** As it was drawn last. */
    let latest = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      latest = stripVTControlCharacters(text);
    });
    await eventually(() => expect(latest).toMatch(/NAME +STATUS +LAST PING +NEXT/));
    expect(latest).not.toContain('ALERTS');
    await commands.run('check', 'snooze', 'job', '--for', '1h');
    await eventually(() => expect(latest).toMatch(/ALERTS[\s\S]*job +[\s\S]*snoozed until \d\d:\d\d/));
    await commands.run('check', 'unsnooze', 'job');
    await eventually(() => expect(latest).toMatch(/NEXT[\s\S]*job/));
    await eventually(() => expect(latest).not.toContain('ALERTS'));
    child.kill();
    await once(child, 'close');
    await commands.stop();
  },
);
