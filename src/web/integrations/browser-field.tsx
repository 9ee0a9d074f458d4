/**
 * The field of an integration whose value is this browser's subscription. In a new form the button of the form subscribes; in the
 * form of one that is there, this browser can take the place of the one that it is.
 */
import { useState } from 'preact/hooks';
import { subscribe, unsupported } from '../push/subscription.ts';
import { Act, Problem } from '../ui/bits.tsx';

/** Shown while a form waits: the question of the browser is not on the page, and easily overlooked. */
export function AskedByBrowser({ isAsked }: { readonly isAsked: boolean }) {
  return (
    <p role="status" class="faint">
      {isAsked ? 'This browser asks beside its address whether Knell may notify you: choose Allow.' : ''}
    </p>
  );
}

interface BrowserFieldProps {
  readonly name: string;
  readonly isNew: boolean;
}

export function BrowserField({ name, isNew }: BrowserFieldProps) {
  const [value, setValue] = useState('');
  const [failed, setFailed] = useState('');
  const reason = unsupported();
  if (isNew) return <Problem text={reason} />;
  return (
    <>
      <input type="hidden" name={name} value={value} />
      <p class="faint">
        {value === ''
          ? 'It alerts the browser that it was added in. If that browser has ended its subscription, open this page there.'
          : 'This browser is alerted once you save.'}
      </p>
      {value === '' && reason === '' && (
        <Act run={async () => setValue(await subscribe())} failed={setFailed}>
          Alert this browser instead
        </Act>
      )}
      <Problem text={failed || reason} />
    </>
  );
}
