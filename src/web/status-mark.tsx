/** A status by shape, word and colour, each of which would do alone. */
import type { Status } from '../domain/check.ts';
import { statusWords } from './words.ts';

const shapes: Readonly<Record<Status, string>> = {
  new: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Zm0 2a4 4 0 1 1 0 8 4 4 0 0 1 0-8Z',
  up: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm3.6 4.7 1 1L7 12.3 3.6 8.9l1-1L7 10.3Z',
  grace: 'M8 1 16 15H0Zm-1 5v5h2V6Zm0 6v2h2v-2Z',
  down: 'M5 1h6l4 4v6l-4 4H5l-4-4V5Zm.6 3.2L4.2 5.6 6.6 8l-2.4 2.4 1.4 1.4L8 9.4l2.4 2.4 1.4-1.4L9.4 8l2.4-2.4-1.4-1.4L8 6.6Z',
  paused: 'M3 2h4v12H3Zm6 0h4v12H9Z',
};

export function StatusMark({
  status,
  started = false,
}: {
  readonly status: Status;
  readonly started?: boolean;
}) {
  return (
    <span class={`status ${status}`}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path fill-rule="evenodd" d={shapes[status]} />
      </svg>
      <span>{statusWords[status]}</span>
      {started && (
        <span class="running" title="A run has started and not finished">
          <span class="spinner" aria-hidden="true" />
          <span class="hidden">, running</span>
        </span>
      )}
    </span>
  );
}
