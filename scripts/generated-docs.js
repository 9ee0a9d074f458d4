// The pages of the manual that are made from tables: every setting, and every command with its options.
import { createProgram } from '../dist/cli/args.js';
import { settings } from '../dist/config.js';
import { flagOf } from '../dist/lib/read-settings.js';

export function settingsPage() {
  const rows = Object.values(settings).map(
    ({ variable, fallback, help, secret }) =>
      `| \`${variable}\` | \`${flagOf(variable)}\` | ${shownDefault(fallback, secret)} | ${cell(help)} |`,
  );
  return [
    '# All settings',
    '',
    'Each is an environment variable, and a flag of `knell serve` that wins over it. A variable that Knell does not know, or a',
    'value that it cannot read, ends the start with one line that names it and exit status 2. A secret can also come from a',
    'file: its variable with `_FILE` at its end names it.',
    '',
    '| variable | flag | default | what it sets |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function shownDefault(fallback, isSecret) {
  if (isSecret) return 'none (secret)';
  return fallback === '' ? '' : `\`${fallback}\``;
}

export function commandsPage() {
  const lines = [
    '# All commands',
    '',
    'Exit status 0: done. 1: it failed. 2: wrong arguments or settings.',
    '',
  ];
  addCommands(lines, createProgram(), '');
  return lines.join('\n');
}

function addCommands(lines, command, parent) {
  const name = `${parent} ${command.name()}`.trim();
  if (parent !== '' && command.name() !== 'help') {
    lines.push(`## ${name}`, '', `    ${name} ${command.usage()}`, '', sentence(command.description()), '');
    const options = command.options.filter(({ hidden }) => !hidden);
    if (options.length > 0) lines.push('| option | |', '|---|---|');
    for (const { flags, description, argChoices } of options) {
      const choices = argChoices && argChoices.length <= 6 ? ` (${argChoices.join(', ')})` : '';
      lines.push(`| \`${flags.replaceAll('|', '\\|')}\` | ${cell(description)}${choices} |`);
    }
    lines.push('');
  }
  for (const one of command.commands) addCommands(lines, one, name);
}

function sentence(text) {
  return text === '' ? '' : `${text[0].toUpperCase()}${text.slice(1)}.`;
}

function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
}
