/** The error of a form's field, at the field: it is bound to it, and gets the focus with it. */
import { useLayoutEffect } from 'preact/hooks';

export interface FieldError {
  /** Name of the field; empty if no single one is wrong. */
  readonly field: string;
  readonly error: string;
}

export const noFieldError: FieldError = { field: '', error: '' };

/** Returns the attributes that bind the field `name` to what is said of it. */
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

/** Gives the focus to the first field that is wrong, in the moment in which that is said. */
export function useErrorInFocus(form: { readonly current: HTMLElement | null }, invalid: FieldError): void {
  useLayoutEffect(() => {
    const wrong = form.current?.querySelector('[aria-invalid=true]');
    if (wrong instanceof HTMLElement) wrong.focus();
  }, [form, invalid]);
}
