/** This field asks for the current password before what protects the sign-in is changed. */
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
