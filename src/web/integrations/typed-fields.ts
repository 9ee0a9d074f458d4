/** What was typed into the fields of an integration's form, as the server takes it. */
import type { ChannelKind } from '../../domain/accounts/project.ts';
import { kinds } from '../../integrations/all.ts';
import type { SecondBoxChoice } from '../../integrations/contract/kind.ts';
import { Refusal } from '../core/calls.ts';
import { subscribe } from '../push/subscription.ts';
import { emptyWords } from '../ui/field-error.tsx';
import { secondBoxField } from './fields/second-box.tsx';

type Texts = Readonly<Record<string, string>>;

/** `clear`: names of fields whose content is to be removed. */
export function typedIn(form: FormData, kind: ChannelKind) {
  const fields = kinds[kind].form.fields.map(({ name }) => [name, form.getAll(name).join(',')] as const);
  // All lines of headers that were there are gone: that is no field that nobody touched.
  const emptied = kinds[kind].form.fields.filter(
    ({ name, input }) => input === 'headers' && form.get(name) === '',
  );
  return {
    fields: Object.fromEntries(fields) as Texts,
    clear: [...form.getAll('clear'), ...emptied.map(({ name }) => name)],
  };
}

/** The fields of the second box as those of the first, where that was chosen. */
function withSecondBox(form: FormData, kind: ChannelKind, texts: Texts): Texts {
  const chosen: SecondBoxChoice = 'same';
  if (form.get(secondBoxField) !== chosen) return texts;
  const [first, second] = boxesOf(kind).map(({ fields }) => fields);
  const same = second?.map(({ name }, at) => [name, texts[first?.[at]?.name ?? ''] ?? ''] as const) ?? [];
  return { ...texts, ...Object.fromEntries(same) };
}

/** The boxes of a form, in their order, with their fields. */
export function boxesOf(kind: ChannelKind) {
  const { fields } = kinds[kind].form;
  const titles = [...new Set(fields.flatMap(({ box }) => box ?? []))];
  return titles.map((title) => ({ title, fields: fields.filter(({ box }) => box === title) }));
}

/** What is wrong where only the first box is shown and is empty: the server would speak of the two fields that it knows. */
export function missingFirst(
  form: FormData,
  kind: ChannelKind,
  texts: Texts,
): readonly { readonly field: string; readonly error: string }[] {
  const other: SecondBoxChoice = 'other';
  const chosen = form.get(secondBoxField);
  if (chosen === null || chosen === other) return [];
  if (kind === 'webhook' && (texts.url_down ?? '').trim() === '')
    return [{ field: 'url_down', error: emptyWords }];
  if (kind === 'shell' && (texts.cmd_down ?? '').trim() === '')
    return [{ field: 'cmd_down', error: emptyWords }];
  return [];
}

/** The fields of a new integration. This browser asks its user, and subscribes, where it is to be alerted. */
export async function newFieldsIn(form: FormData, kind: ChannelKind): Promise<Texts> {
  const fields = withSecondBox(form, kind, typedIn(form, kind).fields);
  const [missing] = missingFirst(form, kind, fields);
  if (missing) throw new Refusal(missing.error, missing.field);
  const browser = kinds[kind].form.fields.find(({ input }) => input === 'browser');
  return browser ? { ...fields, [browser.name]: await subscribe() } : fields;
}
