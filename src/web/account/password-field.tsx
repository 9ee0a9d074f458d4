/** The fields of a password: of a new one, and of the one that what protects the sign-in is changed with. */
import type { TargetedInputEvent } from 'preact';
import { useId, useState } from 'preact/hooks';
import { passwordCharsMax, passwordCharsMin } from '../../domain/limits.ts';
import { Refusal } from '../core/calls.ts';
import { errorAt, type FieldError, FieldErrorText, markedInvalid, noFieldError } from '../ui/field-error.tsx';

interface ChosenPasswordProps {
  readonly label: string;
  readonly password: string;
  readonly type: (text: string) => void;
  readonly invalid?: FieldError;
}

const rule = `At least ${passwordCharsMin} characters.`;

const asPassword = { type: 'password' } as const;
const asText = { type: 'text', autocapitalize: 'off', spellcheck: false } as const;

/** The attributes of the field of a password that may be shown. */
export function lookOf(isShown: boolean): typeof asPassword | typeof asText {
  return isShown ? asText : asPassword;
}

/** The field of a new password, which can be shown: nobody types it a second time, so a slip would lock its owner out. */
export function ChosenPassword({ label, password, type, invalid = noFieldError }: ChosenPasswordProps) {
  const [isShown, setShown] = useState(false);
  const isSaid = errorAt(invalid, 'password') === rule;
  const { 'aria-describedby': error = '', ...marked } = markedInvalid('password', invalid);
  const field = {
    name: 'password',
    autocomplete: 'new-password',
    minLength: passwordCharsMin,
    maxLength: passwordCharsMax,
    required: true,
    value: password,
    ...marked,
    'aria-describedby': `${isSaid ? '' : 'password-rule'} ${error}`.trim(),
    onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => type(currentTarget.value),
  };
  return (
    <>
      <label>
        {label}
        <input {...field} {...lookOf(isShown)} />
      </label>
      <FieldErrorText name="password" invalid={invalid} />
      {!isSaid && (
        <p class="faint hint" id="password-rule">
          {rule}
        </p>
      )}
      <ShownTick isShown={isShown} show={setShown} />
    </>
  );
}

interface ShownTickProps {
  readonly isShown: boolean;
  readonly show: (isShown: boolean) => void;
}

export function ShownTick({ isShown, show }: ShownTickProps) {
  return (
    <label class="tick">
      <input type="checkbox" checked={isShown} onChange={() => show(!isShown)} />
      Show what I type
    </label>
  );
}

/** Refuses what needs the current password, in its field, while that is empty. */
export function checkGiven(password: string, field: string): void {
  if (password === '') throw new Refusal('Enter your current password.', field);
}

/** Says at a button what it needs: the same, before it is pressed. */
export function wantsPassword(password: string): string {
  return password === '' ? 'Enter your current password first.' : '';
}

interface PasswordProps {
  readonly label?: string;
  readonly password: string;
  readonly type: (text: string) => void;
  readonly error?: string;
  /** What it is asked for; empty where the form says it. */
  readonly hint?: string;
  /** Whether what is typed can be shown. */
  readonly mayShow?: boolean;
}

/** The field of the current password. A page may have several. */
export function PasswordField({
  label = 'Your password',
  password,
  type,
  error = '',
  hint = '',
  mayShow = false,
}: PasswordProps) {
  const name = useId();
  const [isShown, setShown] = useState(false);
  const invalid = { field: name, error };
  return (
    <>
      <label>
        {label}
        <input
          {...lookOf(isShown)}
          autocomplete="current-password"
          value={password}
          {...markedInvalid(name, invalid)}
          onInput={({ currentTarget }) => type(currentTarget.value)}
        />
      </label>
      <FieldErrorText name={name} invalid={invalid} />
      {hint !== '' && <p class="faint hint">{hint}</p>}
      {mayShow && <ShownTick isShown={isShown} show={setShown} />}
    </>
  );
}
