/** The form that asks for the date and time until which one or several checks are snoozed. */
import { useState } from 'preact/hooks';
import { instantIn } from '../core/time-style.ts';
import { type SnoozeChoice, snoozeUntil } from './row-actions.tsx';

interface SnoozeUntilProps {
  readonly run: (choice: SnoozeChoice) => void;
  readonly close: () => void;
}

/** Of one check, or of each of several. An acknowledgement holds beyond a snooze. */
export const snoozeHint =
  'Pings are recorded. If the check is down when the snooze ends, and nobody has acknowledged that, the alert goes out then.';

/** This form belongs within a dialog that `snooze-title` names. */
export function SnoozeUntil({ run, close }: SnoozeUntilProps) {
  const [text, setText] = useState('');
  const untilMs = instantIn(text);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    close();
    run(snoozeUntil(untilMs));
  };
  return (
    <form onSubmit={submit}>
      <h2 id="snooze-title">Snooze until</h2>
      <p>{snoozeHint}</p>
      <label>
        Date and time
        <input
          type="datetime-local"
          required
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <div class="actions">
        <button type="submit" class="main" disabled={!(untilMs > Date.now())}>
          Snooze
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  );
}
