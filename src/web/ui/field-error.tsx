/** The error of a form's field, at the field: it is bound to it, and gets the focus with it. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { sentence } from '../../domain/words/sentence.ts';
import { forms } from '../../integrations/contract/values.ts';
import { Refusal } from '../core/calls.ts';

export interface FieldError {
  /** Name of the field; empty if no single one is wrong. */
  readonly field: string;
  readonly error: string;
  /** What else is wrong, below it in the form. */
  readonly others?: readonly FieldError[];
}

/** Of a field that makes no sense together with another one. */
export interface CrossedError extends FieldError {
  /** Name of the other one: while that is wrong by itself, nothing is said of this one. */
  readonly by: string;
}

/** What is wrong with each field by itself, and of those that are right what makes no sense together. */
export function withCrossed(
  errors: readonly FieldError[],
  crossed: readonly (CrossedError | null)[],
): readonly FieldError[] {
  const isRight = (name: string): boolean => errors.every(({ field }) => field !== name);
  return [
    ...errors,
    ...crossed.flatMap((one) => (one !== null && isRight(one.field) && isRight(one.by) ? one : [])),
  ];
}

export const noFieldError: FieldError = { field: '', error: '' };

function errorsIn({ field, error, others = [] }: FieldError): readonly FieldError[] {
  return [{ field, error }, ...others].filter((one) => one.error !== '');
}

/** What is wrong with the field `name`; empty for nothing. */
export function errorAt(invalid: FieldError, name: string): string {
  return errorsIn(invalid).find(({ field }) => field === name)?.error ?? '';
}

export function isWrongIn(invalid: FieldError, names: readonly string[]): boolean {
  return names.some((name) => errorAt(invalid, name) !== '');
}

/** Several errors as one, in the order of their fields in the form, of each field the first. */
export function togetherIn(form: HTMLFormElement, errors: readonly FieldError[]): FieldError {
  const names = Array.from(form.elements, (field) => field.getAttribute('name'));
  const at = ({ field }: FieldError): number => (names.includes(field) ? names.indexOf(field) : names.length);
  const first = new Map([...errors].reverse().map((one) => [one.field, one]));
  return joined([...first.values()].sort((a, b) => at(a) - at(b)));
}

/** What is left once these fields were changed. */
export function withoutFields(invalid: FieldError, names: readonly string[]): FieldError {
  const left = errorsIn(invalid).filter(({ field }) => !names.includes(field));
  return left.length === errorsIn(invalid).length ? invalid : joined(left);
}

/** The same of errors that are in that order already. */
export function joined([first, ...others]: readonly FieldError[]): FieldError {
  if (first === undefined) return noFieldError;
  const { field, error } = first;
  return others.length === 0 ? { field, error } : { field, error, others };
}

/** Returns the attributes that bind the field `name` to what is said of it. */
export function markedInvalid(name: string, invalid: FieldError) {
  return errorAt(invalid, name) !== ''
    ? ({ 'aria-invalid': true, 'aria-describedby': `${name}-error` } as const)
    : {};
}

/** Of a field that must not be empty, in every form. */
export const emptyWords = 'Fill this in.';

/** What is wrong with a field as it is, which needs no server: it is empty, too short, or not of its kind. Empty for nothing. */
function wordsFor({ validity, value, minLength, title }: HTMLInputElement | HTMLTextAreaElement): string {
  if (validity.badInput) return 'Enter a number.';
  if (validity.valueMissing) return emptyWords;
  if (validity.patternMismatch) return `${title}.`;
  return value !== '' && value.length < minLength ? `At least ${minLength} characters.` : '';
}

/** Returns all such fields of a form. The browser would say one, in a box of its own, over what is below. */
export function allRefusedIn(form: HTMLFormElement): readonly FieldError[] {
  return Array.from(form.elements).flatMap((field) => {
    const isTyped = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
    const error = isTyped ? wordsFor(field) : '';
    return isTyped && error !== '' ? { field: field.name, error } : [];
  });
}

/** Returns the first of them. */
export function refusedIn(form: HTMLFormElement): FieldError {
  return allRefusedIn(form)[0] ?? noFieldError;
}

interface TextProps {
  readonly name: string;
  readonly invalid: FieldError;
  /** It is said while one types: screen readers are not interrupted. */
  readonly isLive?: boolean;
}

export function FieldErrorText({ name, invalid, isLive = false }: TextProps) {
  const text = useRef<HTMLParagraphElement>(null);
  const error = errorAt(invalid, name);
  const isShown = error !== '';
  // On a phone it may come below the bar at the bottom, or the keyboard. Of several, the first has the focus.
  useEffect(() => {
    if (isShown && invalid.field === name) text.current?.scrollIntoView({ block: 'nearest' });
  }, [isShown, error]);
  return isShown ? (
    <p
      class="problem"
      ref={text}
      id={`${name}-error`}
      {...(isLive ? { 'aria-live': 'polite' } : { role: 'alert' })}
    >
      {sentence(error)}
    </p>
  ) : null;
}

/** Throws for a text that is too long. It is not cut: what is pasted would end somewhere else than its writer means. */
export function refuseTooLong(text: string, charsMax: number, field: string): void {
  if ([...text.trim()].length > charsMax) throw new Refusal(`Use at most ${charsMax} characters.`, field);
}

/** Throws for a text that is no email address. */
export function mustBeMail(text: string, field: string): void {
  if (!forms.mail.fits(text.trim()))
    throw new Refusal('Enter an email address, such as you@example.org.', field);
}

export interface FormErrors {
  /** The form whose field gets the focus. */
  readonly form: { current: HTMLFormElement | null };
  readonly invalid: FieldError;
  readonly failed: (error: string, field?: string) => void;
  /** What a field does with its text: what was said is about another one from then on. */
  readonly typed: (put: (text: string) => void) => (text: string) => void;
  /** What is wrong with the field; empty for nothing. */
  readonly errorOf: (name: string) => string;
  /** What is said of the form, since it is about none of the fields that say it themselves. */
  readonly otherThan: (...names: readonly string[]) => string;
}

/** Of a form that is refused as a whole, or for one of its fields. */
export function useFormErrors(): FormErrors {
  const form = useRef<HTMLFormElement>(null);
  const [invalid, setInvalid] = useState(noFieldError);
  useErrorInFocus(form, invalid);
  return {
    form,
    invalid,
    failed: (error, field = '') => setInvalid({ field, error }),
    typed: (put) => (text) => {
      put(text);
      setInvalid(noFieldError);
    },
    errorOf: (name) => (invalid.field === name ? invalid.error : ''),
    otherThan: (...names) => (names.includes(invalid.field) ? '' : invalid.error),
  };
}

export interface FieldErrors {
  readonly invalid: FieldError;
  /** Says what an attempt was refused for; the first of it gets the focus. */
  readonly refuse: (invalid: FieldError) => void;
  /** What was said of these fields, and of the form as a whole, may be right now. The focus stays where one types. */
  readonly changed: (names: readonly string[]) => void;
}

/** Of a form of which several fields may be wrong at once. `first`: what is said of it from the start. */
export function useFieldErrors(
  form: { readonly current: HTMLElement | null },
  first: FieldError = noFieldError,
): FieldErrors {
  const [invalid, setInvalid] = useState(first);
  const [attempt, setAttempt] = useState(first);
  useErrorInFocus(form, attempt);
  return {
    invalid,
    refuse(refused) {
      setInvalid(refused);
      setAttempt(refused);
    },
    changed: (names) => setInvalid((before) => withoutFields(before, ['', ...names])),
  };
}

/** The name of the field in which something was typed; empty for none. */
export function nameTyped({ target }: Event): string {
  return (target instanceof Element && target.getAttribute('name')) || '';
}

/** Gives the focus to the first field that is wrong, in the moment in which that is said. */
export function useErrorInFocus(form: { readonly current: HTMLElement | null }, invalid: FieldError): void {
  useLayoutEffect(() => {
    // What is marked while one types, without an attempt, does not take the focus from where one types.
    if (invalid.error === '') return;
    const { current } = form;
    const named = current?.querySelector(`[name="${CSS.escape(invalid.field)}"][aria-invalid=true]`);
    const wrong = named ?? current?.querySelector('[aria-invalid=true]');
    if (wrong instanceof HTMLElement) wrong.focus();
  }, [form, invalid]);
}
