/**
 * Notices of status pages: written, updated, deleted. Pure but for the ids: from the page as it is to the page as it will be.
 * Invariant: an update is never changed; the page as a whole stays within its bounds.
 */

import type {
  NoticeStage,
  NoticeUpdate,
  StatusNotice,
  StatusPage,
} from '../../domain/accounts/status-page.ts';
import { statusPageBounds as bounds } from '../../domain/accounts/status-page-limits.ts';
import { KnellError } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import * as kind from '../contract/argument-kinds.ts';
import { InvalidField } from '../contract/command.ts';

/** Fields of a notice. An update cannot be changed once it is published: no text may be cut without an error. */
export const notice = {
  title: kind.text({ charsMax: bounds.noticeTitleCharsMax, called: 'a title' }),
  text: kind.text({ charsMax: bounds.updateCharsMax, called: 'an update' }),
  services: kind.texts('names or ids'),
} as const;

export interface NoticeInput {
  /** The id of the notice that is updated; absent for a new one. */
  readonly notice: string | undefined;
  /** Absent: as it is. */
  readonly title: string | undefined;
  /** Ids or names. Absent: as they are. */
  readonly services: readonly string[] | undefined;
  readonly stage: NoticeStage;
  readonly text: string;
}

/** `ids`: where the id of a new notice comes from. A request that is carried out a second time changes nothing. */
export function withNotice(page: StatusPage, input: NoticeInput, nowMs: number, ids: Ids): StatusPage {
  const { notice: id, title, stage, text } = input;
  if (title === '' || (title === undefined && id === undefined))
    throw new InvalidField('title', 'a notice needs a title');
  const services = input.services?.map((one) => serviceId(page, one));
  const drawn = ids.randomBase62(10);
  const before =
    id === undefined ? (page.notices.find((one) => one.id === drawn) ?? null) : noticeOf(page, id);
  const update: NoticeUpdate = { atMs: nowMs, stage, text };
  const latest = before?.updates.at(-1);
  if (latest?.atMs === nowMs && latest.stage === stage && latest.text === text) return page;
  const notice: StatusNotice = {
    ...(before ?? { id: drawn, title: '', services: [], updates: [] }),
    ...(title === undefined ? {} : { title }),
    ...(services === undefined ? {} : { services }),
    updates: [...(before?.updates ?? []), update],
  };
  if (notice.updates.length > bounds.updatesMax)
    throw new KnellError('conflict', `a notice has at most ${bounds.updatesMax} updates: write a new one`);
  const others = page.notices.filter((one) => one !== before);
  return bounded({
    ...page,
    notices: before ? page.notices.map((one) => (one === before ? notice : one)) : [notice, ...others],
  });
}

export function withoutNotice(page: StatusPage, id: string): StatusPage {
  const gone = noticeOf(page, id);
  return { ...page, notices: page.notices.filter((one) => one !== gone) };
}

function noticeOf(page: StatusPage, id: string): StatusNotice {
  const notice = page.notices.find((one) => one.id === id);
  if (!notice) throw new KnellError('not-found', 'this notice was deleted');
  return notice;
}

function serviceId(page: StatusPage, wanted: string): string {
  const service = page.services.find(({ id, name }) => id === wanted || name === wanted);
  if (!service) throw new InvalidField('services', `the page has no service ${JSON.stringify(wanted)}`);
  return service.id;
}

function bounded(page: StatusPage): StatusPage {
  const { noticesMax, noticeCharsMax } = bounds;
  if (page.notices.length > noticesMax)
    throw new KnellError(
      'conflict',
      `a status page has at most ${noticesMax} notices: delete an old one first`,
    );
  const chars = page.notices.flatMap(({ title, updates }) => [
    title.length,
    ...updates.map(({ text }) => text.length),
  ]);
  if (chars.reduce((sum, one) => sum + one, 0) > noticeCharsMax)
    throw new KnellError(
      'conflict',
      `the notices have at most ${noticeCharsMax} characters: delete an old one first`,
    );
  return page;
}
