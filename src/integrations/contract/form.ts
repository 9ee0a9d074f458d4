/** Parts of forms that many kinds use. Invariant: pure data. */
import type { Form, FormField, Steps } from './kind.ts';

type More = Omit<Partial<FormField>, 'name' | 'label'>;

export const line = (name: string, label: string, more: More = {}): FormField => ({
  name,
  label,
  input: 'line',
  ...more,
});
export const needed = { required: true } as const;
/** A field that is needed and is no secret. */
export const plain = { required: true, open: true } as const;

/** A choice of the vendor's priorities for each event. `first` has the choices of a new form. */
export function priorityFields(
  choices: NonNullable<FormField['choices']>,
  first: { readonly down: string; readonly up: string },
  names = { down: 'priority', up: 'priority_up' },
): readonly FormField[] {
  return (['down', 'up'] as const).map((event) => ({
    ...{ name: names[event], label: `Priority when ${event}`, input: 'choice', open: true },
    ...{ first: first[event], choices },
  }));
}

/** The form of a webhook: its URL comes from the vendor, and anyone who has it may post there. */
export function hook(title: string, steps: Steps, label = 'Webhook URL'): Form {
  return {
    title,
    steps,
    keeps: 'text',
    fields: [line('value', label, { ...needed, part: 'url' })],
  };
}

const eventTick = (name: 'down' | 'up', text: string): FormField => ({
  name,
  label: text,
  input: 'tick',
  open: true,
  first: 'yes',
});
export const bothEvents = [
  eventTick('down', 'Notify when a check goes down'),
  eventTick('up', 'Notify when a check recovers'),
] as const;

export const phone: FormField = line('value', 'Phone number', {
  ...plain,
  help: 'International format, e.g. +4912345678.',
  part: 'phone',
});

/** `signingSecretError` (`values`) has the rule of its value. */
export const signingSecret: FormField = line('secret', 'Signing secret', {
  help: 'With one, every request is signed as Standard Webhooks says. Keep a copy: once saved, it is not shown again.',
  replacing:
    'To replace one, write the new and the old with a space between: both sign until you remove the old.',
  part: 'signing',
});
