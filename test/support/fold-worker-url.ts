/** Worker threads cannot load TypeScript on Node 20: tests run the built fold worker. */
export const foldWorkerUrl = new URL('../../dist/store/fold-worker.js', import.meta.url);
