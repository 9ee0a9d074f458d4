import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const source = (name: string): string => fileURLToPath(new URL(`../src/web/${name}`, import.meta.url));

export default defineConfig({
  // Knell names the files from the root when it serves the page: only then is it known under which path.
  base: './',
  root: fileURLToPath(new URL('../src/web', import.meta.url)),
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    rolldownOptions: {
      output: {
        // A browser asks for the service worker by its name, and compares its bytes.
        entryFileNames: ({ name }) => (name === 'sw' ? '[name].js' : 'assets/[name]-[hash].js'),
        // What every page needs, as one file: each split-off one is a request more before the list can be seen.
        codeSplitting: {
          groups: [
            {
              name: 'base',
              test: /preact|src\/web\/(core\/(calls|base-path|route|typed|use-focus|words)|ui\/bits)\.|src\/domain\/(check\/shown-status|accounts\/page-address)/,
            },
          ],
        },
      },
      input: {
        ...Object.fromEntries(['index', 'docs'].map((name) => [name, source(`${name}.html`)])),
        // A script of one page of the manual (`build-docs.js`). Loaded by another one, it would need what the page shares with it.
        'docs-schedule': source('docs-schedule.ts'),
        sw: source('push/service-worker.ts'),
      },
    },
    outDir: fileURLToPath(new URL('../dist/web', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // Inlined files would be data: addresses, which the page's policy takes for pictures alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
