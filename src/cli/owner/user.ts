/** The output of `knell user` and `knell password`. */
import type { CommandResult } from '../../commands/table.ts';
import { print, printTable } from '../io/terminal.ts';
import type { Printers } from './printer.ts';

export const userPrinters = {
  'user list': { print: (users) => printTable(users.map(rowOf)) },
  'user role': {
    print(user) {
      const { name, role, projects } = rowOf(user);
      print(`${name}: ${role}${projects === '' ? '' : `, ${projects}`}`);
    },
  },
  'user reset-totp': { print: ({ name }) => print(`${name} signs in without codes from now on`) },
  'password reset': {
    plain: ({ user, link }) => ({ user, link }),
    print({ user, link, others }) {
      print(
        user === null
          ? 'There is no owner yet. Create the first one here (one-time link):'
          : `Set a new password for ${user} here (one-time link, expires in 24 hours):`,
      );
      print(`  ${link}`);
      if (others.length === 0) return;
      print('A link for one of the other users: knell password reset USER, where USER is one of');
      for (const name of others) print(`  ${name}`);
    },
  },
} satisfies Printers;

function rowOf({ name, role, projects }: CommandResult<'user role'>) {
  return { name, role, projects: projects.map((one) => `${one.role} in ${one.project}`).join(', ') };
}
