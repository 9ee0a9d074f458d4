/** Who was notified of a status change, in sentences, where somebody asks for them below its line of the log. */
import type { AlertingPastAnswer } from '../../domain/views/api-answers.ts';
import { useAsk } from '../core/calls.ts';
import { errorWords } from '../core/words.ts';
import { apiPath } from '../rows/api-check.ts';
import { kindTitle } from './log-words.ts';

interface WasNotifiedProps {
  readonly project: string;
  readonly check: string;
  /** When the status changed. */
  readonly atMs: number;
  readonly nowMs: number;
}

function useWhoWas({ project, check, atMs }: WasNotifiedProps) {
  const at = new Date(Math.ceil(atMs)).toISOString();
  return useAsk<AlertingPastAnswer>(`${apiPath(project, `checks/${check}/alerting`)}?at=${at}`);
}

export function WasNotified(props: WasNotifiedProps) {
  const { nowMs } = props;
  const { data, error } = useWhoWas(props);
  if (!data) return <p class="details faint">{error || 'One moment…'}</p>;
  return (
    <div class="details was-notified">
      <p>{errorWords(data.text, nowMs)}</p>
      {data.notes.map(({ timestamp, text }) => (
        <p key={timestamp}>{errorWords(text, nowMs)}</p>
      ))}
      <Recipients all={data.recipients} nowMs={nowMs} />
    </div>
  );
}

/** The line below what was sent: the integrations to which nothing was sent, each with the reason. */
export function OthersNotNotified(props: WasNotifiedProps) {
  const { data, error } = useWhoWas(props);
  const others = data?.recipients.filter(({ outcome }) => outcome === 'none') ?? [];
  if (others.length === 0 && error === '') return null;
  return (
    <li class="others">
      <div class="details was-notified">
        {data ? <Recipients all={others} nowMs={props.nowMs} /> : <p class="faint">{error}</p>}
      </div>
    </li>
  );
}

interface RecipientsProps extends Pick<WasNotifiedProps, 'nowMs'> {
  readonly all: AlertingPastAnswer['recipients'];
}

function Recipients({ all, nowMs }: RecipientsProps) {
  return (
    <ul>
      {all.map(({ channel, name, kind, text }) => (
        <li key={channel}>
          <strong>{name || kindTitle(kind) || kind}</strong>: {errorWords(text, nowMs)}
        </li>
      ))}
    </ul>
  );
}
