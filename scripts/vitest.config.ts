import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** What is measured in time has the machine for itself, when all else is done. */
const alone = ['test/web/speed.test.ts'];

const common = { pool: 'forks', testTimeout: 20_000, hookTimeout: 20_000 } as const;

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    projects: [
      {
        extends: true,
        test: {
          ...common,
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: alone,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { ...common, name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
