/** What is wrong with a field of a form, at the field: bound to it, and with the focus on it. */
import { useEffect } from 'preact/hooks';

export interface FieldFlaw {
  /** Empty for none alone. */
  readonly field: string;
  readonly error: string;
}

export const noFieldFlaw: FieldFlaw = { field: '', error: '' };

/** What binds the field `name` to what is said of it. */
export function flawed(name: string, { field, error }: FieldFlaw) {
  return field === name && error !== ''
    ? ({ 'aria-invalid': true, 'aria-describedby': `${name}-flaw` } as const)
    : {};
}

export function Flaw({ name, flaw: { field, error } }: { readonly name: string; readonly flaw: FieldFlaw }) {
  return field === name && error !== '' ? (
    <p class="problem" id={`${name}-flaw`} role="alert">
      {error}
    </p>
  ) : null;
}

/** The first field that is wrong gets the focus. */
export function useFlawInFocus(form: { readonly current: HTMLElement | null }, flaw: FieldFlaw): void {
  useEffect(() => {
    const wrong = form.current?.querySelector('[aria-invalid=true]');
    if (wrong instanceof HTMLElement) wrong.focus();
  }, [form, flaw]);
}
