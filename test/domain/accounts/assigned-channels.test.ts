import { describe, expect, it } from 'vitest';
import { assignedChannels } from '../../../src/domain/accounts/assigned-channels.ts';
import { makeChannel } from '../../support/engine/api-engine.ts';

const alice = makeChannel(2, 'Email to Alice');
const bob = makeChannel(1, 'Bob');
const bob2 = makeChannel(3, 'Bob');
const nameless = makeChannel(4, '');
const available = [alice, bob, bob2, nameless];

describe('the channels parameter', () => {
  it('means all integrations by an asterisk, sorted', () => {
    expect(assignedChannels('*', available)).toEqual({
      ok: true,
      ids: [bob.id, alice.id, bob2.id, nameless.id],
    });
  });

  it('means none by an empty text', () => {
    expect(assignedChannels('', available)).toEqual({ ok: true, ids: [] });
  });

  it('takes ids and names mixed, and each integration once', () => {
    const text = `Email to Alice,${bob.id},${alice.id}`;
    expect(assignedChannels(text, available)).toEqual({ ok: true, ids: [bob.id, alice.id] });
  });

  it.each([
    ['Nobody', 'invalid channel identifier: Nobody'],
    [' Bob', 'invalid channel identifier:  Bob'],
    ['bob', 'invalid channel identifier: bob'],
    ['Bob', 'non-unique channel identifier: Bob'],
    ['Email to Alice,', 'empty channel identifier'],
    [',Email to Alice', 'empty channel identifier'],
    ['Nobody,,', 'invalid channel identifier: Nobody'],
    ['*,Bob', 'invalid channel identifier: *'],
  ])('refuses %j: %s', (text, error) => {
    expect(assignedChannels(text, available)).toEqual({ ok: false, error });
  });

  it('cannot distinguish an id from an equal name', () => {
    const twin = makeChannel(9, bob.id);
    expect(assignedChannels(bob.id, [bob, twin])).toMatchObject({ ok: false });
    expect(assignedChannels(bob.id, [bob])).toEqual({ ok: true, ids: [bob.id] });
  });
});
