// The pages of the manual that are made from tables: every setting, every command with its options, every endpoint, every path of
// the admin API.
import { createProgram } from '../dist/cli/args.js';
import { commandNames, onlyReads, ownerCommands, pathOf } from '../dist/commands/table.js';
import { settings } from '../dist/config.js';
import { openApiDocument } from '../dist/http/api/openapi.js';
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

export function adminApiPage() {
  const lines = [
    '# Admin API reference',
    '',
    'Every path below `/api/admin/`, with its arguments as JSON. [The admin API](api.md#the-admin-api) explains the use.',
    '',
  ];
  for (const name of commandNames) {
    const { help, takes } = ownerCommands[name];
    const methods = onlyReads(name) ? 'GET or POST' : 'POST';
    lines.push(`## ${pathOf(name)}`, '', `${methods}. ${sentence(help)}`, '');
    const rows = Object.entries(takes).map(([argument, { is, isRequired, fallback = '', help: words }]) => {
      const otherwise = fallback === '' ? 'optional' : `\`${fallback}\` if left out`;
      return `| \`${argument}\` | ${cell(is)}${isRequired ? '' : `; ${otherwise}`} | ${words === is ? '' : cell(words)} |`;
    });
    if (rows.length > 0) lines.push('| argument | | |', '|---|---|---|', ...rows, '');
  }
  return lines.join('\n');
}

/** The management API, from the document that Knell serves at /api/v3/openapi.json. */
export function apiPage() {
  const { paths, components } = openApiDocument('');
  const lines = [
    '# API reference',
    '',
    'Every endpoint of version 3, below `/api/v3`, as the running Knell describes it at',
    '[/api/v3/openapi.json](../api/v3/openapi.json) for tools that read OpenAPI. [The management API](api.md) explains the use.',
    '',
  ];
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods))
      addOperation(lines, `${method.toUpperCase()} ${path}`, operation);
  lines.push('## Objects', '');
  for (const [name, schema] of Object.entries(components.schemas)) addSchema(lines, name, schema);
  return lines.join('\n');
}

function addOperation(
  lines,
  title,
  { summary, description, security = [], parameters = [], requestBody, responses },
) {
  const keys = security.flatMap((one) => Object.keys(one)).map((key) => keyNames[key] ?? key);
  lines.push(`## ${title}`, '', `${summary}.${description ? ` ${description}` : ''}`, '');
  lines.push(`Key: ${keys.length === 0 ? 'none' : keys.join(' or ')}.`, '');
  if (parameters.length > 0) lines.push('| parameter | | |', '|---|---|---|');
  for (const { name, in: place, description: words = '', schema } of parameters)
    lines.push(`| \`${name}\` | ${place}, ${typeOf(schema)} | ${cell(words)} |`);
  if (parameters.length > 0) lines.push('');
  const body = requestBody && schemaOf(requestBody.content);
  if (body) lines.push(`Body: ${body}.`, '');
  lines.push('| answer | | |', '|---|---|---|');
  for (const [status, { description: words = '', content }] of Object.entries(responses))
    lines.push(`| ${status} | ${schemaOf(content) ?? ''} | ${cell(words)} |`);
  lines.push('');
}

const keyNames = { readWriteKey: 'read-write', readOnlyKey: 'read-only' };

function schemaOf(content) {
  const [[type, { schema } = {}] = []] = Object.entries(content ?? {});
  if (type === undefined) return null;
  return schema ? typeOf(schema) : type;
}

function addSchema(lines, name, schema) {
  lines.push(`### ${name}`, '', schema.description ? `${schema.description}` : '', '');
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) lines.push(typeOf(schema), '');
  else lines.push('| field | | |', '|---|---|---|');
  for (const [field, one] of properties) {
    const isRequired = (schema.required ?? []).includes(field) ? '' : ', optional';
    lines.push(`| \`${field}\` | ${typeOf(one)}${isRequired} | ${cell(one.description ?? '')} |`);
  }
  lines.push('');
}

/** In words: `integer, 60 to 31536000`, `string or null`, a link to an object. */
function typeOf(schema = {}) {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1);
    return `[${name}](#${name.toLowerCase()})`;
  }
  const several = schema.oneOf ?? schema.anyOf;
  if (several) return [...new Set(several.map(typeOf))].join(' or ');
  if (schema.allOf) return schema.allOf.map(typeOf).join(' with ');
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((one) => `\`${JSON.stringify(one)}\``).join(', ');
  const type = [schema.type ?? 'any'].flat().join(' or ');
  if (schema.items) return `list of ${typeOf(schema.items)}`;
  const { minimum, maximum, minLength, maxLength } = schema;
  const bounds = [
    minimum !== undefined && maximum !== undefined ? `${minimum} to ${maximum}` : '',
    maxLength !== undefined ? `${minLength ?? 0} to ${maxLength} characters` : '',
  ];
  return [type, ...bounds].filter((part) => part !== '').join(', ');
}

function addCommands(lines, command, parent) {
  const name = `${parent} ${command.name()}`.trim();
  if (parent !== '' && command.name() !== 'help') {
    lines.push(`## ${name}`, '', `    ${name} ${command.usage()}`, '', sentence(command.description()), '');
    const options = command.options.filter(({ hidden }) => !hidden);
    const positionals = command.registeredArguments.filter(({ description }) => description !== '');
    if (options.length + positionals.length > 0) lines.push('| argument, option | |', '|---|---|');
    for (const one of positionals) lines.push(`| \`${one.name()}\` | ${cell(one.description)} |`);
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
