/** The engine over a store and a clock of the test, with defaults for all that a test is not about. */
import { limits } from '../../src/config.ts';
import { createEngine, type EngineOptions } from '../../src/engine/create-engine.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { systemIds } from '../../src/lib/ids.ts';
import { silentLogger } from '../../src/lib/logger.ts';

export type EngineParts = Pick<EngineOptions, 'store' | 'clock'> & Partial<EngineOptions>;

/** Resolves when it has loaded what the store holds, and watches deadlines. Without a credit for outages, with few actors at once. */
export async function startEngine(parts: EngineParts): Promise<Engine> {
  const { engine } = await createEngine({
    logger: silentLogger,
    outageCredit: false,
    ids: systemIds,
    activeActorsMax: 100,
    aliveEveryMs: limits.aliveEveryMs,
    ticker: limits.ticker,
    progress: () => {},
    ...parts,
  });
  engine.start();
  return engine;
}
