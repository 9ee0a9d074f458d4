/**
 * Classifies a ping: method, path, exit status and keyword rules in, one signal out. Both listeners use it.
 * Invariant: pure, and the only place that knows the keyword rules (specification, "Keyword filtering rules").
 */

import { assert } from '../../lib/errors.ts';
import { keywordScanBytes } from '../limits.ts';
import type { CheckConfig } from './check.ts';
import { meaningOfExit } from './exit-codes.ts';
import type { Signal } from './ping.ts';

/** The action in the address of a ping. */
export const pingActions = ['success', 'start', 'fail', 'log', 'warn', 'alive'] as const;
export type Action = (typeof pingActions)[number];

/** The text in which keywords are searched: the texts of a mail, or the body of an HTTP request. */
export type Searchable =
  | { readonly via: 'http'; readonly body: Uint8Array }
  | { readonly via: 'mail'; readonly subject: string; readonly texts: readonly string[] }
  /** A mail to a check that does not filter: nobody has read it. */
  | { readonly via: 'mail-unread' }
  /** A person has sent it, and said what it means. */
  | { readonly via: 'by-hand' };

export interface PingFacts {
  readonly action: Action;
  /** 0..255, or null when the address names none. */
  readonly exitStatus: number | null;
  /** The HTTP method; empty for mail. */
  readonly method: string;
  readonly searchable: Searchable;
}

/** True when the meaning of a mail to such a check depends on its text, so that it must be parsed. */
export function filtersMail(config: CheckConfig): boolean {
  return config.filterSubject || config.filterBody;
}

/** True when a mail to such a check must be parsed: for its meaning, or for the numbers in it. */
export function readsMail(config: CheckConfig): boolean {
  return filtersMail(config) || config.results !== '';
}

export function classify(config: CheckConfig, ping: PingFacts): Signal {
  const { searchable } = ping;
  if (searchable.via === 'http' && config.methods === 'POST' && ping.method !== 'POST') return 'ign';
  const texts = searchedTexts(config, searchable);
  if (texts !== null) return byKeywords(config, texts);
  if (ping.exitStatus !== null && config.exitCodes !== '')
    return meaningOfExit(config.exitCodes, ping.exitStatus);
  return plainSignal(ping.action, ping.exitStatus);
}

/** Signal of a ping whose method and text no rule looks at, as with nearly all pings. */
export function plainSignal(action: Action, exitStatus: number | null): Signal {
  if (exitStatus === null) return action;
  return exitStatus === 0 ? 'success' : 'fail';
}

/** The texts that the check's filters look into; null when none of them applies to this listener. */
function searchedTexts(config: CheckConfig, searchable: Searchable): readonly string[] | null {
  if (searchable.via === 'http') {
    return config.filterHttpBody ? [decodePrefix(searchable.body)] : null;
  }
  if (searchable.via === 'by-hand' || !filtersMail(config)) return null;
  assert(searchable.via === 'mail', 'a mail is read before it pings a check that filters');
  const subject = config.filterSubject ? [searchable.subject] : [];
  return config.filterBody ? [...subject, ...searchable.texts] : subject;
}

/** Failure first: a job that says both "done" and "error" has failed. */
function byKeywords(config: CheckConfig, texts: readonly string[]): Signal {
  if (containsAny(texts, config.failureKw)) return 'fail';
  if (containsAny(texts, config.successKw)) return 'success';
  if (containsAny(texts, config.startKw)) return 'start';
  return config.filterDefaultFail ? 'fail' : 'ign';
}

/** Keywords are comma-separated and case-sensitive; space around one does not count, nor does an empty one. */
function containsAny(texts: readonly string[], keywords: string): boolean {
  if (keywords === '') return false;
  for (const keyword of keywords.split(',')) {
    const wanted = keyword.trim();
    if (wanted !== '' && texts.some((text) => text.includes(wanted))) return true;
  }
  return false;
}

// Streaming makes the decoder hold back a character that the cut at the end has split, instead of replacing it.
function decodePrefix(body: Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return decoder.decode(body.subarray(0, keywordScanBytes), { stream: true });
}
