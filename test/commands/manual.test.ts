/** The manual has every owner's command as it is declared: its line in commands.md, its arguments in api.md. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from '../../src/cli/args.ts';
import { type Argument, optionOf } from '../../src/commands/contract/argument.ts';
import {
  argumentsOf,
  type CommandName,
  commandNames,
  ownerCommands,
  pathOf,
} from '../../src/commands/table.ts';

const manual = (name: string): string =>
  readFileSync(new URL(`../../src/docs/${name}.md`, import.meta.url), 'utf8');

/** More words than these are too many for a line. */
const choicesMax = 4;

const common = ['--data-dir', '--json', '--output', '--server', '--key'];

/** `npx knell project create NAME [--plan free|paid]`. */
function usageOf(name: CommandName, line: string): string {
  const shown = Object.values(argumentsOf(name)).filter((one) => one.line !== null);
  const positionals = shown.filter((one) => optionOf(one.line) === null);
  const options = shown.filter((one) => optionOf(one.line) !== null);
  const words = [...positionals, ...options].map((one) => typedAs(one, wordOf(one)));
  return ['npx knell', line, ...words, ...otherOptions(line, options)].join(' ');
}

/** What is required may be left out on the command line. */
function typedAs(argument: Argument, word: string): string {
  return argument.line?.startsWith('[') ? `[${word}]` : bracketed(argument, word);
}

function bracketed({ isRequired }: Argument, word: string): string {
  return isRequired ? word : `[${word}]`;
}

function wordOf({ line, choices }: Argument): string {
  const [, value = '', more = ''] = /[<[]([\w-]+)(\.\.\.)?[>\]]/.exec(line ?? '') ?? [];
  const isChoice = choices !== undefined && choices.length <= choicesMax;
  const placeholder = isChoice ? choices.join('|') : value.toUpperCase().replaceAll('-', '_');
  return [optionOf(line), placeholder, more === '' ? null : '…'].filter(Boolean).join(' ');
}

/** Those that only the command line has. Each field of an integration is one. */
function otherOptions(line: string, declared: readonly Argument[]): readonly string[] {
  let command: Command | undefined = createProgram();
  for (const word of line.split(' ')) command = command?.commands.find((one) => one.name() === word);
  const known = [...common, ...declared.map((one) => optionOf(one.line))];
  // The manual says once of all of them that the project may be an option, too.
  const others = (command?.options ?? []).filter(
    ({ long, description }) => !known.includes(long ?? '') && description !== 'the same, as an option',
  );
  if (others.length > choicesMax) return ['[--FIELD TEXT …]'];
  return others.map(({ flags }) => `[${flags.replace(/<(.*)>/, (_, value) => value.toUpperCase())}]`);
}

test('commands.md has the usage of each, and no other', () => {
  const lines = manual('commands')
    .split('\n')
    .filter((line) => line.startsWith('    npx knell '))
    .map((line) => line.replace(/ +#.*/, '').trim());
  for (const name of commandNames) {
    const { line = name } = ownerCommands[name];
    if (line === null) continue;
    const isOfIt = (one: string): boolean => `${one} `.startsWith(`npx knell ${line} `);
    const isOfOther = (one: string): boolean => /^npx knell snapshot (list|verify)\b/.test(one);
    expect(
      lines.filter((one) => isOfIt(one) && !isOfOther(one)),
      name,
    ).toEqual([usageOf(name, line)]);
  }
});

test('api.md has the path and the arguments of each', () => {
  const [, section = ''] = manual('api').split('## The admin API');
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  expect(rows).toEqual(
    commandNames.map((name) => {
      const args = Object.entries(argumentsOf(name)).map(([called, one]) => bracketed(one, `\`${called}\``));
      return `| \`${pathOf(name)}\` | ${args.join(', ')}${args.length > 0 ? ' |' : '|'}`;
    }),
  );
});
