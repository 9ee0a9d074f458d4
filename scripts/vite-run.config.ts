import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** `knell run` as one file that needs nothing but Node. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  build: {
    ssr: 'src/client/knell-run.ts',
    outDir: 'dist',
    emptyOutDir: false,
    target: 'node18',
    minify: false,
    rollupOptions: { output: { entryFileNames: 'knell-run.mjs' } },
  },
});
