import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { readConfig, settings } from '../../src/config.ts';
import { secretIn } from '../../src/lib/secret-file.ts';
import { tempDir } from '../support/temp-dirs.ts';

let directory = '';
beforeEach(() => {
  directory = tempDir();
});

function fileOf(text: string): string {
  const file = join(directory, 'secret');
  writeFileSync(file, text);
  return file;
}

const secrets = Object.values(settings).filter(({ secret }) => secret);

describe('a secret in a file', () => {
  test('is there for every setting that is one, and for no other', () => {
    expect(secrets.length).toBeGreaterThan(10);
    const file = fileOf('https://example.org\n');
    for (const { variable } of Object.values(settings)) {
      const isSecret = secrets.some((one) => one.variable === variable);
      // These take no URL of the web.
      if (['KNELL_CLUSTER', 'KNELL_MAIL_URL', 'KNELL_METRICS'].includes(variable)) continue;
      const read = (): unknown => readConfig({ [`${variable}_FILE`]: file }, {});
      if (isSecret) expect(read, variable).not.toThrow();
      else expect(read, variable).toThrow(/^unknown variable/);
    }
  });

  test.each([
    ['smtp://user:pass@host:25', 'smtp://user:pass@host:25'],
    ['smtp://host\n', 'smtp://host'],
    ['smtp://host\r\n', 'smtp://host'],
  ])('%j is the text without one newline at its end', (text, value) => {
    expect(readConfig({ KNELL_MAIL_URL_FILE: fileOf(text) }, {}).config.mailUrl).toBe(value);
  });

  test('keeps what comes before the last newline', () => {
    expect(secretIn({ A_FILE: fileOf(' a \n\n') }, 'A')).toBe(' a \n');
  });

  test('gives way to a flag, as its variable does', () => {
    const env = { KNELL_MAIL_URL_FILE: fileOf('smtp://file') };
    expect(readConfig(env, { KNELL_MAIL_URL: 'smtp://flag' }).config.mailUrl).toBe('smtp://flag');
  });

  test('is an error beside the variable itself', () => {
    const env = { KNELL_MAIL_URL: 'smtp://a', KNELL_MAIL_URL_FILE: fileOf('smtp://b') };
    expect(() => readConfig(env, {})).toThrow(/^KNELL_MAIL_URL and KNELL_MAIL_URL_FILE are both set/);
  });

  test.each([
    ['is not there', () => join(directory, 'nothing'), /cannot read \S+nothing \(ENOENT\)$/],
    ['is a directory', () => directory, /cannot read \S+ \(EISDIR\)$/],
    ['is empty', () => fileOf('\n'), /is empty$/],
    ['never ends', () => '/dev/zero', /is too large/],
    ['has no name', () => '', /names no file$/],
  ])('that %s is one line that names the variable', (_what, file, error) => {
    const read = (): unknown => readConfig({ KNELL_TELEGRAM_TOKEN_FILE: file() }, {});
    expect(read).toThrow(/^KNELL_TELEGRAM_TOKEN_FILE[^\n]*$/);
    expect(read).toThrow(error);
  });

  test('that is malformed is not repeated in the error', () => {
    const env = { KNELL_MAIL_URL_FILE: fileOf('hunter2') };
    expect(() => readConfig(env, {})).toThrow(/^KNELL_MAIL_URL: its value is not an address/);
  });
});
