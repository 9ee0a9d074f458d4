/**
 * Writes plain JSON values as YAML, in block style with two spaces.
 * Invariant: pure; a string that could be read as anything else is quoted as in JSON, which YAML contains.
 */
export function yamlOf(value: unknown): string {
  return `${blockOf(value, '').replace(/^\n/, '')}\n`;
}

/** Writes a value behind a key or a dash: a scalar in the same line, everything else below. */
function blockOf(value: unknown, indent: string): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return ' []'.trimStart();
    return value.map((item) => `\n${indent}- ${inItem(item, indent)}`).join('');
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    if (entries.length === 0) return '{}';
    return entries.map(([key, item]) => `\n${indent}${scalarOf(key)}:${afterKey(item, indent)}`).join('');
  }
  return scalarOf(value);
}

function inItem(item: unknown, indent: string): string {
  return blockOf(item, `${indent}  `).replace(/^\n */, '');
}

function afterKey(item: unknown, indent: string): string {
  const block = blockOf(item, `${indent}  `);
  return block.startsWith('\n') ? block : ` ${block}`;
}

const plainString = /^[A-Za-z_/][\w ./@+()-]*$/;
/** Words that YAML 1.1 or 1.2 reads as something else than a string. */
const otherMeaning = /^(?:y|n|yes|no|true|false|on|off|null|nan|inf|infinity|~)$/i;

function scalarOf(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value ?? null);
  const isPlain = plainString.test(value) && !otherMeaning.test(value) && !value.endsWith(' ');
  return isPlain ? value : JSON.stringify(value);
}
