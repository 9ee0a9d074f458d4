import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** The entry points of the store's threads and child processes. */
const entries = [
  'history/fold/fold-worker',
  'journal/commit-worker',
  'open/probe-process',
  'repair/extract-process',
  'repair/inspect-process',
  'snapshot/verify-worker',
  'snapshot/worker',
];

/**
 * Takes the place of the compiler's output for these: a third of the processor time of a thread that starts was finding and
 * reading a hundred modules. Not in the server's bundle: what they share with it would be files of their own there.
 * The thread that reads mails stays as it is compiled: nearly all that it loads are packages.
 */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  ssr: { noExternal: ['xstate'] },
  build: {
    ssr: true,
    outDir: 'dist/store',
    emptyOutDir: false,
    target: 'node20',
    minify: false,
    rolldownOptions: {
      input: Object.fromEntries(entries.map((entry) => [entry, `src/store/${entry}.ts`])),
      output: { keepNames: true, entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});
