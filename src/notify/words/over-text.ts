/**
 * What a message that a check is down says once that outage is over: it was retried late, or nothing follows it to the integration.
 * Invariant: pure; empty for what is in time, so that such messages are what they were.
 */
import type { Notice } from '../contract/channel.ts';
import { manyOf } from './incident-message.ts';

/** In a sentence. `said`: an instant, as the message writes it. */
export function overText(notice: Notice, said: (atMs: number) => string): string {
  const { over, atMs } = notice;
  if (!over) return '';
  const many = manyOf(notice);
  if (many) return `The incident began at ${said(many.openedMs)} and was over at ${said(over.atMs)}.`;
  const end = over.isUpSince ? 'has been up since' : 'that outage was over at';
  return `It went down at ${said(atMs)} and ${end} ${said(over.atMs)}.`;
}

/** With that before it. */
export function withOverText(text: string, notice: Notice, said: (atMs: number) => string): string {
  const over = overText(notice, said);
  return over === '' ? text : `${over} ${text}`;
}
