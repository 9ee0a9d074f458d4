/** The form that sends a test email. Invariant: what became of it is said beside its button, whether it was sent or not. */
import { useState } from 'preact/hooks';
import { send } from '../core/calls.ts';
import { Act, Problem } from '../ui/bits.tsx';

/** Without an address it goes to that of the account. */
export function TestMail() {
  const [to, setTo] = useState('');
  const [failed, setFailed] = useState('');
  const [taken, setTaken] = useState('');
  const run = async (): Promise<void> => {
    setTaken('');
    const sent = await send<{ readonly to: string }>(
      'POST',
      '/web/server-settings/test-email',
      to.trim() === '' ? {} : { to: to.trim() },
    );
    setTaken(`The mail server has taken the test email to ${sent.to}.`);
  };
  return (
    <form class="inline" noValidate onSubmit={(event) => event.preventDefault()}>
      <label>
        Address for a test email
        <input
          type="email"
          autocomplete="email"
          placeholder="Your own address"
          value={to}
          onInput={(event) => setTo(event.currentTarget.value)}
        />
      </label>
      <Act run={run} failed={setFailed} isDefault>
        Send test email
      </Act>
      <span role="status">{taken}</span>
      <Problem text={failed} />
    </form>
  );
}
