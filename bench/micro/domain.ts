/** What a signal costs to understand and to take. */

import { classify } from '../../src/domain/check/classify.ts';
import { Registry } from '../../src/engine/registry/registry.ts';
import { benchMs, upCheck } from '../harness/checks.ts';
import type { Task } from '../harness/micro.ts';

const plain = upCheck(1);
const filtering = upCheck(2, { filterHttpBody: true, failureKw: 'error,failed', successKw: 'done' });
const noBody = new Uint8Array(0);
const longBody = new TextEncoder().encode(`${'all is well. '.repeat(800).slice(0, 9_990)}done`);
const question = { action: 'success', exitStatus: null, method: 'GET' } as const;
const registry = new Registry();
const steady = registry.addCheck(plain);
const flipping = registry.addCheck(upCheck(3));
let atMs = benchMs;

const success = () => ({ type: 'success', atMs: atMs++, rid: null }) as const;

/** An event that the fast path does not take. */
function flip(handle: number) {
  return { ...success(), type: registry.check(handle).state.status === 'up' ? 'fail' : 'success' } as const;
}

export const domainTasks: readonly Task[] = [
  {
    name: 'classify a GET',
    run: () => classify(plain.config, { ...question, searchable: { via: 'http', body: noBody } }),
  },
  {
    name: 'classify by keywords in 10 kB',
    run: () => classify(filtering.config, { ...question, searchable: { via: 'http', body: longBody } }),
  },
  { name: 'fast ping', run: () => registry.send(steady, success()) },
  { name: 'an actor that decides', run: () => registry.send(flipping, flip(flipping)) },
  {
    name: 'a check after a ping, as an object',
    run: () => {
      registry.send(steady, success());
      return registry.check(steady);
    },
  },
];
