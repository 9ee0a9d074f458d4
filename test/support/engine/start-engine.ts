/** The engine over a store and a clock of the test, with defaults for all that a test is not about. */
import { limits } from '../../../src/config.ts';
import type { Engine } from '../../../src/engine/contract/engine.ts';
import {
  createEngine,
  type EngineOptions,
  type RecoveredEngine,
} from '../../../src/engine/start/create-engine.ts';
import { systemIds } from '../../../src/lib/ids.ts';
import { silentLogger } from '../../../src/lib/logger.ts';
import { createMeter } from '../../../src/lib/meter.ts';

export type EngineParts = Pick<EngineOptions, 'store' | 'clock'> & Partial<EngineOptions>;

/** Resolves when it has loaded what the store holds; deadlines fire once it is started. */
export function recoverEngine(parts: EngineParts): Promise<RecoveredEngine> {
  return createEngine({
    logger: silentLogger,
    meter: createMeter(),
    outageCredit: false,
    ids: systemIds,
    aliveEveryMs: limits.aliveEveryMs,
    ticker: limits.ticker,
    bounds: limits.engine,
    progress: () => {},
    ...parts,
  });
}

export async function startEngine(parts: EngineParts): Promise<Engine> {
  const { engine } = await recoverEngine(parts);
  engine.start();
  return engine;
}
