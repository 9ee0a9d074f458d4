/** A check's status over time, as a band. Outages stick out of it and can be seen however short they were. */
import type { Status } from '../../domain/check/check.ts';
import { pingedFromMs } from '../../domain/check/shown-status.ts';
import type { CheckStory } from '../../domain/views/page-view.ts';
import { exactTime, momentWords, pastStatusWords } from '../core/words.ts';
import { type StatusSpan, spansOf } from './timeline.ts';

const bandHeight = 20;
const overhang = 4;
/** Pixels of the narrowest outage: one of a minute should still be seen. */
const narrowest = 4;
/** Pixels from which what is before the check fits words that say when it begins. */
const wordsWide = 190;

interface BandProps {
  readonly story: CheckStory;
  readonly status: Status;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly nowMs: number;
  /** Width in CSS pixels. */
  readonly width: number;
}

/** From when on the band knows a status. */
function beginOf({ story, fromMs }: Pick<BandProps, 'story' | 'fromMs'>): number {
  return Math.max(fromMs, story.fromMs, story.createdAtMs);
}

/** Pixels from the left. */
function placeOf(
  { fromMs, untilMs, width }: Pick<BandProps, 'fromMs' | 'untilMs' | 'width'>,
  atMs: number,
): number {
  return ((atMs - fromMs) / Math.max(1, untilMs - fromMs)) * width;
}

/** What the time before the first status is, where the band shows it and is too narrow there to say so; empty otherwise. */
export function beforeWords(band: Omit<BandProps, 'status' | 'nowMs'>): string {
  const beginMs = beginOf(band);
  const wide = placeOf(band, beginMs);
  if (wide < 1 || wide >= wordsWide) return '';
  return beginMs === band.story.createdAtMs ? 'Before it was created' : 'Not known';
}

export function StatusBand(band: BandProps) {
  const { story, status, nowMs, width } = band;
  const beginMs = beginOf(band);
  const spans = spansOf({ changes: story.changes, fromMs: story.createdAtMs, nowMs, status }).flatMap(
    (span) => (span.untilMs <= beginMs ? [] : [{ ...span, fromMs: Math.max(span.fromMs, beginMs) }]),
  );
  const x = (atMs: number): number => placeOf(band, atMs);
  const pingedMs = pingedFromMs(story.changes);
  const downs = spans.filter((span) => span.status === 'down').length;
  const label = `Status: ${downs === 0 ? 'never down' : `down ${downs === 1 ? 'once' : `${downs} times`}`}`;
  const high = bandHeight + 2 * overhang;
  // Later shapes are drawn over earlier ones, so outages come last.
  const drawn = [...spans].sort((a, b) => rank(a) - rank(b));
  return (
    <svg
      class="strip"
      viewBox={`0 0 ${width} ${high}`}
      width={width}
      height={high}
      role="img"
      aria-label={label}
    >
      {/* The rest of the hour that is in flight is no time without data: it has not been yet. */}
      <rect
        class="nothing"
        y={overhang}
        width={Math.max(0, Math.min(width, x(nowMs)))}
        height={bandHeight}
        rx="2"
      />
      {x(beginMs) >= wordsWide && (
        <text class="begins" x={x(beginMs) / 2} y={overhang + bandHeight / 2}>
          {beginMs === story.createdAtMs ? 'Created' : 'Known since'} {momentWords(beginMs, nowMs)}
        </text>
      )}
      {drawn.map((span) => (
        <Span
          key={`${span.fromMs} ${span.status}`}
          words={pastStatusWords(span.status, pingedMs < span.fromMs)}
          {...{ span, x, width }}
        />
      ))}
    </svg>
  );
}

function rank({ status }: StatusSpan): number {
  return status === 'down' ? 2 : status === 'grace' ? 1 : 0;
}

interface SpanProps {
  readonly span: StatusSpan;
  readonly words: string;
  readonly x: (atMs: number) => number;
  readonly width: number;
}

function Span({ span, words, x, width }: SpanProps) {
  const { status, fromMs, untilMs } = span;
  const isDown = status === 'down';
  const isBad = isDown || status === 'grace';
  const wide = Math.max(isBad ? narrowest : 0, x(untilMs) - x(fromMs));
  return (
    <rect
      class={status}
      x={Math.max(0, Math.min(x(fromMs), width - wide - 1))}
      y={isDown ? 0 : overhang}
      width={wide}
      height={isDown ? bandHeight + 2 * overhang : bandHeight}
      rx={isDown ? 1 : 0}
    >
      <title>{`${words}: ${exactTime(fromMs)} – ${exactTime(untilMs)}`}</title>
    </rect>
  );
}
