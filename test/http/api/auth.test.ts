import { describe, expect, it } from 'vitest';
import { authorizeKey } from '../../../src/http/api/auth.ts';
import { ApiEngine } from '../../support/engine/api-engine.ts';

const engine = new ApiEngine();
const readWrite = engine.key(0, 'read-write');
const readOnly = engine.key(0, 'read-only');
const ping = engine.key(0, 'ping');
const missing = { ok: false, error: 'missing api key' };
const wrong = { ok: false, error: 'wrong api key' };

describe('a key', () => {
  it.each([null, '', 'short', 'x'.repeat(31), 'x'.repeat(33)])('is missing when it is %j', (key) => {
    expect(authorizeKey(engine.read, key, 'read')).toEqual(missing);
    expect(authorizeKey(engine.read, key, 'write')).toEqual(missing);
  });

  it('is wrong when nobody has it', () => {
    expect(authorizeKey(engine.read, 'x'.repeat(32), 'read')).toEqual(wrong);
  });

  it('opens everything when it is a read-write one', () => {
    const [project] = engine.projects;
    const actor = { kind: 'api-key', id: 'k0', name: `${readWrite.slice(0, 8)}…`, address: '' };
    const opened = { ok: true, readOnly: false, by: 'API key', keyId: 'k0', actor };
    expect(authorizeKey(engine.read, readWrite, 'read')).toEqual({ ...opened, project });
    expect(authorizeKey(engine.read, readWrite, 'write')).toEqual({ ...opened, project });
  });

  it('opens only reading when it is a read-only one', () => {
    expect(authorizeKey(engine.read, readOnly, 'read')).toMatchObject({ ok: true, readOnly: true });
    expect(authorizeKey(engine.read, readOnly, 'write')).toEqual(wrong);
  });

  it('opens nothing when it is a ping key', () => {
    expect(authorizeKey(engine.read, ping, 'read')).toEqual(wrong);
    expect(authorizeKey(engine.read, ping, 'write')).toEqual(wrong);
  });
});
