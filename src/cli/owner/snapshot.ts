/** The output of `knell snapshot`. `cli/data/snapshot` lists and verifies existing snapshots. */
import { resolve } from 'node:path';
import { print } from '../io/terminal.ts';
import type { Printers } from './printer.ts';

export const snapshotPrinters = {
  snapshot: {
    /** Resolves the path for a server of this machine, which has another working directory; a remote one reads it by itself. */
    prepare: ({ args: { file }, session }) =>
      file === undefined || session.isRemote ? { file } : { file: resolve(file) },
    print: ({ file, checks, pings, bytes }) =>
      print(`${file}: ${checks} checks, ${pings} pings, ${bytes} bytes`),
  },
} satisfies Printers;
