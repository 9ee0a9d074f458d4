/** The new address that waits to be confirmed by the link that was sent to it. */
import type { AccountView } from '../../domain/views/account-view.ts';
import { send } from '../core/calls.ts';
import { useNow } from '../core/use-now.ts';
import { Act, Time } from '../ui/bits.tsx';

interface WaitingAddressProps {
  readonly waiting: NonNullable<AccountView['newAddress']>;
  readonly offsetMs: number;
  readonly changed: () => void;
  readonly failed: (error: string) => void;
}

export function WaitingAddress({ waiting, offsetMs, changed, failed }: WaitingAddressProps) {
  const nowMs = useNow(offsetMs);
  const withdraw = (): Promise<void> => send('DELETE', '/web/account/new-address').then(changed);
  return (
    <div class="shown-once" role="status">
      <p>
        A link to confirm <strong>{waiting.address}</strong> was sent there. It works once, and expires{' '}
        <Time atMs={waiting.untilMs} nowMs={nowMs} />. Until you confirm it, your name stays as it is.
      </p>
      <Act class="quiet" run={withdraw} failed={failed}>
        Withdraw
      </Act>
    </div>
  );
}
