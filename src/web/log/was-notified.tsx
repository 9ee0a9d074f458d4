/** Who was notified of a status change, in sentences, where somebody asks for them below its line of the log. */
import type { AlertingPastAnswer } from '../../domain/views/api-answers.ts';
import { useAsk } from '../core/calls.ts';
import { apiPath } from '../rows/api-check.ts';
import { errorWords } from './log-words.ts';

interface WasNotifiedProps {
  readonly project: string;
  readonly check: string;
  /** When the status changed. */
  readonly atMs: number;
  readonly nowMs: number;
}

export function WasNotified({ project, check, atMs, nowMs }: WasNotifiedProps) {
  const at = new Date(Math.ceil(atMs)).toISOString();
  const { data, error } = useAsk<AlertingPastAnswer>(
    `${apiPath(project, `checks/${check}/alerting`)}?at=${at}`,
  );
  if (!data) return <p class="details faint">{error || 'One moment…'}</p>;
  return (
    <div class="details was-notified">
      <p>{errorWords(data.text, nowMs)}</p>
      {data.notes.map(({ timestamp, text }) => (
        <p key={timestamp}>{errorWords(text, nowMs)}</p>
      ))}
      <ul>
        {data.recipients.map(({ channel, name, kind, text }) => (
          <li key={channel}>
            <strong>{name || kind}</strong>: {errorWords(text, nowMs)}
          </li>
        ))}
      </ul>
    </div>
  );
}
