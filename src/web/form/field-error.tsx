/** What is wrong with a field of a form, at the field: bound to it, and with the focus on it. */
import { useEffect } from 'preact/hooks';

export interface FieldError {
  /** Empty for none alone. */
  readonly field: string;
  readonly error: string;
}

export const noFieldError: FieldError = { field: '', error: '' };

/** What binds the field `name` to what is said of it. */
export function markedInvalid(name: string, { field, error }: FieldError) {
  return field === name && error !== ''
    ? ({ 'aria-invalid': true, 'aria-describedby': `${name}-error` } as const)
    : {};
}

export function FieldErrorText({
  name,
  invalid: { field, error },
}: {
  readonly name: string;
  readonly invalid: FieldError;
}) {
  return field === name && error !== '' ? (
    <p class="problem" id={`${name}-error`} role="alert">
      {error}
    </p>
  ) : null;
}

/** The first field that is wrong gets the focus. */
export function useErrorInFocus(form: { readonly current: HTMLElement | null }, invalid: FieldError): void {
  useEffect(() => {
    const wrong = form.current?.querySelector('[aria-invalid=true]');
    if (wrong instanceof HTMLElement) wrong.focus();
  }, [form, invalid]);
}
