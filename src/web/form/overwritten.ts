/**
 * Whether a form is about to overwrite what somebody else has saved since it was opened: the same field, with another value.
 * Invariant: pure. What others have changed and the form has not is no conflict: the form does not send it.
 */
import { checkFieldLabels } from '../../domain/check/check-field-labels.ts';

type Fields = Readonly<Record<string, unknown>>;

/** `sent`: the fields that are saved; `opened`: the check as the form was opened with; `now`: as it is. Empty for no conflict. */
export function overwrittenWords(sent: Fields, opened: Fields, now: Fields): string {
  const others = Object.keys(sent).filter(
    (name) => textOf(name, now) !== textOf(name, opened) && textOf(name, now) !== textOf(name, sent),
  );
  if (others.length === 0) return '';
  const named = others.map((name) => `“${Object.hasOwn(checkFieldLabels, name) ? labelOf(name) : name}”`);
  const value = others.length === 1 ? now[others[0] ?? ''] : '';
  const isShort = typeof value === 'string' && value !== '' && value.length <= 60 && others[0] !== 'channels';
  const to = isShort ? ` to “${value}”` : '';
  return `Somebody has changed ${named.join(', ')}${to} since this form was opened. Save again to replace that.`;
}

function labelOf(name: string): string {
  return checkFieldLabels[name as keyof typeof checkFieldLabels];
}

/** The order of integrations means nothing. */
function textOf(name: string, fields: Fields): string {
  const value = fields[name] ?? '';
  return name === 'channels' ? String(value).split(',').sort().join(',') : JSON.stringify(value);
}
