/** What the pings of a check say about its settings, each with a button that makes the change. Nothing, mostly. */
import type { HintListAnswer } from '../../domain/views/api-answers.ts';
import { valueWords } from '../../domain/words/value-words.ts';
import { send, useSeen } from '../core/calls.ts';
import { apiPath } from '../rows/api-check.ts';
import { Sure } from '../ui/bits.tsx';

type Hint = HintListAnswer['hints'][number];

interface HintsCardProps {
  readonly project: string;
  readonly id: string;
  /** Another value once pings have changed the check. */
  readonly version: unknown;
  readonly mayEdit: boolean;
  readonly saved: () => void;
}

export function HintsCard({ project, id, version, mayEdit, saved }: HintsCardProps) {
  const { data, reload } = useSeen<HintListAnswer>(apiPath(project, `checks/${id}/hints/`), version);
  if (!data || data.hints.length === 0) return null;
  const make = async (change: NonNullable<Hint['change']>): Promise<void> => {
    await send('POST', apiPath(project, `checks/${id}`), change);
    saved();
    reload();
  };
  return (
    <section class="card hints">
      <h2>Do the settings fit?</h2>
      <ul>
        {data.hints.map(({ code, text, change }) => (
          <li key={code}>
            <p>{text}</p>
            {mayEdit && change !== null && (
              <Sure
                label={labelOf(change)}
                of="of this check"
                ask={`${labelOf(change)}? The deadlines follow the new setting at once.`}
                yes="Change it"
                run={() => make(change)}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const names: Readonly<Record<string, string>> = {
  tz: 'time zone',
  timeout: 'interval',
  grace: 'grace time',
  start_grace: 'grace time of starts',
  max_runtime: 'longest run',
  early_tolerance: 'early tolerance',
  overlap: 'overlapping runs',
};

/** `Set the grace time to 1 h 10 min`. */
function labelOf(change: NonNullable<Hint['change']>): string {
  const parts = Object.entries(change).map(
    ([field, value]) => `the ${names[field] ?? field} to ${valueWords(field, String(value))}`,
  );
  return `Set ${parts.join(' and ')}`;
}
