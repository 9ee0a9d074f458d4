/** What a signal costs to understand and to take. */

import { classify } from '../../src/domain/classify.ts';
import { fastStep } from '../../src/domain/fast-path.ts';
import type { CheckActor } from '../../src/engine/check-actor.ts';
import { Registry } from '../../src/engine/registry.ts';
import { benchMs, upCheck } from '../harness/checks.ts';
import type { Task } from '../harness/micro.ts';

const plain = upCheck(1);
const filtering = upCheck(2, { filterHttpBody: true, failureKw: 'error,failed', successKw: 'done' });
const noBody = new Uint8Array(0);
const longBody = new TextEncoder().encode(`${'all is well. '.repeat(800).slice(0, 9_990)}done`);
const question = { action: 'success', exitStatus: null, method: 'GET' } as const;
const registry = new Registry(10);
const passive = registry.addCheck(plain);
const active = registry.addCheck(upCheck(3));
/** One of them is always passivated when the other is sent an event. */
const smallRegistry = new Registry(1);
const pair = [smallRegistry.addCheck(upCheck(4)), smallRegistry.addCheck(upCheck(5))] as const;
let atMs = benchMs;

let turns = 0;

const success = () => ({ type: 'success', atMs: atMs++, rid: null }) as const;

/** An event that the fast path does not take. */
function flip({ check }: CheckActor) {
  return { ...success(), type: check.state.status === 'up' ? 'fail' : 'success' } as const;
}

export const domainTasks: readonly Task[] = [
  {
    name: 'classify a GET',
    run: () => classify(plain.config, { ...question, searchable: { door: 'http', body: noBody } }),
  },
  {
    name: 'classify by keywords in 10 kB',
    run: () => classify(filtering.config, { ...question, searchable: { door: 'http', body: longBody } }),
  },
  { name: 'fast path', run: () => fastStep(plain, success()) },
  { name: 'fast ping of a check without an actor', run: () => registry.send(passive, success()) },
  { name: 'event to an active actor', run: () => registry.send(active, flip(active)) },
  {
    name: 'start an actor, one event, passivate',
    run: () => {
      const next = pair[turns++ % 2 === 0 ? 0 : 1];
      smallRegistry.send(next, flip(next));
    },
  },
];
