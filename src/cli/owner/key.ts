/** The output of `knell key`. */
import { print } from '../io/terminal.ts';
import type { Printers } from './printer.ts';

export const keyPrinters = {
  'key create': {
    print({ id, scope, key }) {
      print(`${scope} key, id ${id}. Save it, it won't be shown again:`);
      print(`  ${key}`);
    },
  },
  'key rename': {
    print: ({ id, name = '' }) => print(name === '' ? `${id} has no name` : `${id} is now named ${name}`),
  },
  'key revoke': { print: (_, { id }) => print(`revoked ${id}`) },
  'admin-key create': {
    print({ id, key }, { name }) {
      print(`admin key ${name}, id ${id}. It opens all projects. Save it, it won't be shown again:`);
      print(`  ${key}`);
    },
  },
  'admin-key revoke': { print: (_, { key }) => print(`revoked ${key}`) },
} satisfies Printers;
