import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const sources = fileURLToPath(new URL('../src/', import.meta.url));

/** A module finds the files beside it where the compiler puts it, whichever file of the bundle it is in. */
const ownAddress: Plugin = {
  name: 'own-address',
  transform(code, id) {
    if (!id.startsWith(sources) || !code.includes('import.meta.url')) return null;
    const compiled = relative(sources, id).replace(/\.ts$/, '.js');
    return {
      code: code.replaceAll('import.meta.url', `new URL("./${compiled}", import.meta.url).href`),
      map: null,
    };
  },
};

/** What every command needs some of, and what needs nothing but that: else each of these small modules is a file of its own. */
const shared = [
  'lib/(?!rate-limit|process-metrics)',
  '(?:cli/io|client|domain|http|store/disk)/limits[.]ts$',
  'domain/discover/shell-quote[.]ts$',
  'domain/words/(?:capital|(?:clock|span)-words)[.]ts$',
  '(?:domain/accounts/channel-title|integrations/contract/titles)[.]ts$',
].map((path) => `/src/${path}`);

/**
 * The program as few files: finding, reading and linking several hundred modules was half of the time of a start. Threads
 * and child processes have bundles of their own, at the places of the compiler's output (`vite-threads.config.ts`).
 * Packages are in it if they are plain JavaScript. Not in it are those that load binaries or start threads from files of
 * their own. Names and lines stay as they are written: a stack trace names functions.
 */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  plugins: [ownAddress],
  ssr: {
    noExternal: [
      '@modelcontextprotocol/sdk',
      'abort-controller',
      'ajv',
      'ajv-formats',
      'base64-js',
      'bl',
      'buffer',
      'commander',
      'cron-parser',
      'debug',
      'event-target-shim',
      'events',
      'fast-deep-equal',
      'fast-uri',
      'he',
      'http_ece',
      'ieee754',
      'inherits',
      'json-schema-traverse',
      'luxon',
      'mqtt-packet',
      'ms',
      'nodemailer',
      'process',
      'process-nextick-args',
      'punycode.js',
      'readable-stream',
      'safe-buffer',
      'smtp-server',
      'string_decoder',
      'xstate',
      'yaml',
      'zod',
      'zod-to-json-schema',
    ],
  },
  build: {
    ssr: 'src/main.ts',
    outDir: 'dist',
    emptyOutDir: false,
    target: 'node20',
    minify: false,
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      output: {
        keepNames: true,
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        codeSplitting: { groups: [{ name: 'lib', test: new RegExp(shared.join('|')) }] },
      },
    },
  },
});
