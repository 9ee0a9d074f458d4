/** The projects that somebody offers to the user, at the head of every page: each is accepted or declined there. */
import { useState } from 'preact/hooks';
import type { OfferView } from '../../domain/views/account-view.ts';
import type { PageState } from '../../domain/views/page-view.ts';
import { send } from '../core/calls.ts';
import { Act, Problem, Time } from '../ui/bits.tsx';
import { say } from '../ui/toasts.tsx';

interface OffersProps {
  readonly state: PageState;
  readonly reloadState: () => void;
}

export function Offers({ state: { offers, nowMs }, reloadState }: OffersProps) {
  return (
    <>
      {offers.map((offer) => (
        <Offer key={offer.id} offer={offer} nowMs={nowMs} reloadState={reloadState} />
      ))}
    </>
  );
}

interface OfferProps extends Pick<OffersProps, 'reloadState'> {
  readonly offer: OfferView;
  /** When the page was loaded: days need no clock that runs. */
  readonly nowMs: number;
}

function Offer({ offer: { id, project, by, untilMs }, nowMs, reloadState }: OfferProps) {
  const [failed, setFailed] = useState('');
  const answer = (way: 'accept' | 'decline', words: string) => (): Promise<void> =>
    send('POST', `/web/in/${id}/hand-over/${way}`).then(() => {
      say(words);
      reloadState();
    });
  return (
    <section class="card offer" aria-label={`Offer of the project ${project}`}>
      <p>
        <strong>{by}</strong> wants to hand the project <strong>{project}</strong> over to you. If you accept,
        you become its owner. The offer expires <Time atMs={untilMs} nowMs={nowMs} />.
      </p>
      <div class="actions">
        <Act class="main" run={answer('accept', `You own ${project} now.`)} failed={setFailed}>
          Accept<span class="hidden"> {project}</span>
        </Act>
        <Act run={answer('decline', `You declined ${project}.`)} failed={setFailed}>
          Decline<span class="hidden"> {project}</span>
        </Act>
      </div>
      <Problem text={failed} />
    </section>
  );
}
