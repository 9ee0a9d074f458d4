/** What a signal costs to understand and to take. */

import { step } from '../../src/domain/check-machine.ts';
import { classify } from '../../src/domain/classify.ts';
import { fastStep } from '../../src/domain/fast-path.ts';
import { Registry } from '../../src/engine/registry.ts';
import { benchMs, upCheck } from '../harness/checks.ts';
import type { Task } from '../harness/micro.ts';

const plain = upCheck(1);
const filtering = upCheck(2, { filterHttpBody: true, failureKw: 'error,failed', successKw: 'done' });
const noBody = new Uint8Array(0);
const longBody = new TextEncoder().encode(`${'all is well. '.repeat(800).slice(0, 9_990)}done`);
const question = { action: 'success', exitStatus: null, method: 'GET' } as const;
const registry = new Registry(10);
const actor = registry.addCheck(plain);
let atMs = benchMs;

const success = () => ({ type: 'success', atMs: atMs++, rid: null }) as const;

export const domainTasks: readonly Task[] = [
  {
    name: 'classify a GET',
    run: () => classify(plain.config, { ...question, searchable: { door: 'http', body: noBody } }),
  },
  {
    name: 'classify by keywords in 10 kB',
    run: () => classify(filtering.config, { ...question, searchable: { door: 'http', body: longBody } }),
  },
  { name: 'steady step', run: () => fastStep(plain, success()) },
  { name: 'steady ping of a check at rest', run: () => registry.send(actor, success()) },
  { name: 'full statechart step', run: () => step(plain, success()) },
];
