/** The form that asks for the date and time until which one or several checks are snoozed. */
import { useState } from 'preact/hooks';
import { instantIn, localText } from '../core/time-style.ts';
import { checksWords } from '../core/words.ts';
import { Problem } from '../ui/bits.tsx';
import { type SnoozeChoice, snoozeUntil } from './row-actions.tsx';

interface SnoozeUntilProps {
  readonly run: (choice: SnoozeChoice) => void;
  readonly close: () => void;
  /** Of the checks. */
  readonly count?: number;
}

/** An acknowledgement holds beyond a snooze. */
export const snoozeHint =
  'Pings are recorded. If the check is down when the snooze ends, and nobody has acknowledged that, the alert goes out then.';

const hintOfSeveral =
  'Pings are recorded. Alerts of those that are down when the snooze ends, and that nobody has acknowledged, go out then.';

export function snoozeTitle(count: number): string {
  return count === 1 ? 'Snooze until' : `Snooze ${checksWords(count)} until`;
}

/** This form belongs within a dialog that `snooze-title` names. */
export function SnoozeUntil({ run, close, count = 1 }: SnoozeUntilProps) {
  const [text, setText] = useState(() => localText(proposedMs(Date.now())));
  const untilMs = instantIn(text);
  const problem = problemOf(untilMs);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (problemOf(untilMs) !== '') return;
    close();
    run(snoozeUntil(untilMs));
  };
  return (
    <form onSubmit={submit} noValidate>
      <h2 id="snooze-title">{snoozeTitle(count)}</h2>
      <p>{count === 1 ? snoozeHint : hintOfSeveral}</p>
      <label>
        Date and time
        <input
          type="datetime-local"
          required
          value={text}
          aria-invalid={problem !== ''}
          aria-describedby="snooze-problem"
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <div id="snooze-problem">
        <Problem text={problem} />
      </div>
      <div class="actions">
        <button type="submit" class="main" aria-disabled={problem !== ''}>
          Snooze
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  );
}

const quarterMs = 15 * 60_000;

/** Four hours from now, at a full quarter: those before are choices of the menu. */
function proposedMs(nowMs: number): number {
  return Math.ceil((nowMs + 4 * 3_600_000) / quarterMs) * quarterMs;
}

function problemOf(untilMs: number): string {
  if (Number.isNaN(untilMs)) return 'Give a date and a time.';
  return untilMs > Date.now() ? '' : 'This is in the past: give a later time.';
}
