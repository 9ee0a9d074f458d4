/** What `knell snapshot` prints. Not here: the snapshots that there are (`cli/data/snapshot`). */
import { resolve } from 'node:path';
import { print } from '../io/terminal.ts';
import type { Printers } from './printer.ts';

export const snapshotPrinters = {
  snapshot: {
    /** A server here has another working directory; a file of a server elsewhere is one there. */
    prepare: ({ args: { file }, session }) =>
      file === undefined || session.isRemote ? { file } : { file: resolve(file) },
    print: ({ file, checks, pings, bytes }) =>
      print(`${file}: ${checks} checks, ${pings} pings, ${bytes} bytes`),
  },
} satisfies Printers;
