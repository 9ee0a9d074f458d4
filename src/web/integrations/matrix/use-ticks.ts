/**
 * Ticks of the matrix one by one: a message says what each has changed, with a way back.
 * Invariant: one message is for all ticks that follow one another, and takes back all of them and nothing else.
 */
import { useRef } from 'preact/hooks';
import { channelTitle } from '../../../domain/accounts/channel-title.ts';
import type { ChannelView, CheckRow } from '../../../domain/views/page-view.ts';
import { checksWords } from '../../core/words.ts';
import { nameOf } from '../../rows/row-words.ts';
import { say } from '../../ui/toasts.tsx';

/** Within this time from one tick to the next, they are of one series: as long as a message is there. */
const seriesMs = 10_000;

export interface Assigns {
  readonly assigned: (row: CheckRow) => readonly string[];
  /** Settles when it is saved; a failure is shown whether or not anybody waits. */
  readonly assign: (row: CheckRow, channels: readonly string[]) => Promise<unknown>;
}

interface Tick {
  readonly row: CheckRow;
  readonly channel: ChannelView;
  /** Whether it is ticked now. */
  readonly on: boolean;
}

interface Series {
  readonly name: string;
  readonly atMs: number;
  readonly ticks: readonly Tick[];
}

export function useTicks({ assigned, assign }: Assigns): (row: CheckRow, channel: ChannelView) => void {
  const series = useRef<Series | null>(null);
  const count = useRef(0);
  const latest = useRef(assigned);
  latest.current = assigned;
  const put = ({ row, channel: { id }, on }: Tick): Promise<unknown> => {
    const others = latest.current(row).filter((one) => one !== id);
    return assign(row, on ? [...others, id] : others);
  };
  const undo = (ticks: readonly Tick[]): Promise<unknown> => {
    series.current = null;
    return Promise.all(ticks.map((one) => put({ ...one, on: !one.on })));
  };
  return (row, channel) => {
    const tick = { row, channel, on: !assigned(row).includes(channel.id) };
    put(tick).then(
      () => {
        const before = series.current;
        const goesOn = before !== null && Date.now() - before.atMs < seriesMs;
        const name = goesOn ? before.name : `ticks ${++count.current}`;
        const ticks = withTick(goesOn ? before.ticks : [], tick);
        series.current = { name, atMs: Date.now(), ticks };
        say(wordsOf(ticks), () => undo(ticks), [name]);
      },
      // It is said above the matrix.
      () => {},
    );
  };
}

/** A tick that takes back one of them leaves the others; if there are none, it is the only one. */
function withTick(ticks: readonly Tick[], tick: Tick): readonly Tick[] {
  const others = ticks.filter(({ row, channel }) => row.id !== tick.row.id || channel.id !== tick.channel.id);
  return others.length === ticks.length || others.length === 0 ? [...others, tick] : others;
}

function wordsOf(ticks: readonly Tick[]): string {
  const [first, ...others] = ticks;
  if (!first) return '';
  const { row, channel, on } = first;
  if (others.length === 0)
    return `${nameOf(row)} ${on ? 'now notifies' : 'no longer notifies'} ${channelTitle(channel)}.`;
  const checks = new Set(ticks.map(({ row: { id } }) => id)).size;
  return `${ticks.length} ticks changed, of ${checksWords(checks)}.`;
}
