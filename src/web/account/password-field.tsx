/** The fields of a password: of a new one, and of the one that what protects the sign-in is changed with. */
import type { TargetedInputEvent } from 'preact';
import { useState } from 'preact/hooks';
import { passwordCharsMax, passwordCharsMin } from '../../domain/limits.ts';

interface ChosenPasswordProps {
  readonly label: string;
  readonly password: string;
  readonly type: (text: string) => void;
}

const asPassword = { type: 'password' } as const;
const asText = { type: 'text', autocapitalize: 'off', spellcheck: false } as const;

/** The field of a new password, which can be shown: nobody types it a second time, so a slip would lock its owner out. */
export function ChosenPassword({ label, password, type }: ChosenPasswordProps) {
  const [isShown, setShown] = useState(false);
  const field = {
    name: 'password',
    autocomplete: 'new-password',
    minLength: passwordCharsMin,
    maxLength: passwordCharsMax,
    required: true,
    value: password,
    'aria-describedby': 'password-rule',
    onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => type(currentTarget.value),
  };
  return (
    <>
      <label>
        {label}
        <input {...field} {...(isShown ? asText : asPassword)} />
      </label>
      <p class="faint" id="password-rule">
        At least {passwordCharsMin} characters.
      </p>
      <label class="tick">
        <input type="checkbox" checked={isShown} onChange={() => setShown(!isShown)} />
        Show what I type
      </label>
    </>
  );
}

export function PasswordField({
  password,
  type,
}: {
  readonly password: string;
  readonly type: (text: string) => void;
}) {
  return (
    <label>
      Your password
      <input
        type="password"
        autocomplete="current-password"
        value={password}
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
    </label>
  );
}
