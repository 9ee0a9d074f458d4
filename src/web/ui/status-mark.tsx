/** A status as shape, word and colour, each of which would do alone. */
import type { ComponentChildren } from 'preact';
import type { ShownStatus } from '../../domain/check/shown-status.ts';
import type { Mark } from '../core/status-words.ts';
import { shownWords } from '../core/words.ts';

export type { Mark } from '../core/status-words.ts';

const octagon = 'M6.6 2h6.800L18 6.600v6.800L13.4 18H6.600L2 13.400V6.600Z';
const ring = 'M10 2.500a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15Z';

/** `solid` is filled, `line` is drawn. */
const shapes: Readonly<Record<Mark, ComponentChildren>> = {
  down: (
    <>
      <path class="solid" d={octagon} />
      <path class="over" d="m7.3 7.3 5.4 5.400m0-5.4-5.4 5.4" />
    </>
  ),
  snoozed: (
    <>
      <path class="soft line" d={octagon} />
      <path class="solid" d="M13.5 11.300A4.2 4.2 0 0 1 8.7 6.500a4.2 4.2 0 1 0 4.8 4.800Z" />
    </>
  ),
  acknowledged: (
    <>
      <path class="soft line" d={octagon} />
      <path class="line" d="m6.7 10.3 2.3 2.3 4.4-4.8" />
    </>
  ),
  late: (
    <>
      <path class="solid" d="M10 2.2 18.6 17.500H1.400Z" />
      <path class="over" d="M10 8v4m0 2.600v.1" />
    </>
  ),
  running: (
    <>
      <path class="rest line" d={ring} />
      <path class="turning line" d="M10 2.500a7.5 7.5 0 1 1-7 10.2" />
      <path class="solid" d="M8.2 6.900v6.200L13 10Z" />
    </>
  ),
  up: (
    <>
      <path class="soft line" d={ring} />
      <path class="line" d="m6.7 10.3 2.3 2.3 4.4-4.8" />
    </>
  ),
  paused: (
    <>
      <rect class="line" x="2.7" y="2.7" width="14.6" height="14.6" rx="4" />
      <path class="line" d="M8 7v6m4-6v6" />
    </>
  ),
  maintenance: (
    <>
      <path class="line" d={ring} />
      <path class="line" d="M8 7v6m4-6v6" />
    </>
  ),
  new: <path class="line dashed" d={ring} />,
};

/** Only the shape, for beside words that say the same. */
export function Shape({ of, size = 20 }: { readonly of: Mark; readonly size?: number }) {
  return (
    <svg class={`mark ${of}`} viewBox="0 0 20 20" width={size} height={size} aria-hidden="true">
      {shapes[of]}
    </svg>
  );
}

export function StatusMark({ status }: { readonly status: ShownStatus }) {
  return (
    <span class={`status ${status}`}>
      <Shape of={status} />
      <span>{shownWords[status]}</span>
    </span>
  );
}
