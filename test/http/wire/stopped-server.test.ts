/** A server that has stopped keeps nothing of what it served, though the library never frees its functions. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { Knell } from '../../support/knell.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The engine of a Knell that has answered and is stopped. */
async function engineOfStopped(): Promise<WeakRef<object>> {
  const knell = await Knell.start();
  await knell.create();
  const engine = new WeakRef<object>(knell.app.engine);
  await knell.stop();
  return engine;
}

test('nothing that was served is reachable from a server that has stopped', async () => {
  const engine = await engineOfStopped();
  await expect
    .poll(() => {
      collect();
      return engine.deref() === undefined;
    })
    .toBe(true);
});
