/**
 * Notices of status pages: written, updated, deleted. Pure but for the ids: from the page as it is to the page as it will be.
 * Invariant: an update is never changed; the page as a whole stays within its bounds.
 */
import {
  statusPageBounds as bounds,
  hasControls,
  type NoticeStage,
  type NoticeUpdate,
  noticeStages,
  type StatusNotice,
  type StatusPage,
} from '../../domain/accounts/status-page.ts';
import { KnellError } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import { type Args, choiceIn, InvalidField, textIn } from '../contract/command.ts';

export interface NoticeInput {
  /** Of the notice that is updated; null for a new one. */
  readonly id: string | null;
  /** Null: as it is. */
  readonly title: string | null;
  /** Ids or names. Null: as they are. */
  readonly services: readonly string[] | null;
  readonly stage: NoticeStage;
  readonly text: string;
}

export function noticeIn(args: Args): NoticeInput {
  const id = typeof args.notice === 'string' ? args.notice : null;
  const title = args.title === undefined ? null : textIn(args, 'title');
  const text = args.text === undefined ? '' : textIn(args, 'text');
  if (title === '' || (title === null && id === null))
    throw new InvalidField('title', 'a notice needs a title');
  if (title !== null && title.length > bounds.titleCharsMax)
    throw new InvalidField('title', `a title has at most ${bounds.titleCharsMax} characters`);
  if (text.length > bounds.updateCharsMax)
    throw new InvalidField('text', `an update has at most ${bounds.updateCharsMax} characters`);
  for (const [name, value] of [
    ['title', title ?? ''],
    ['text', text],
  ] as const)
    if (hasControls(value)) throw new InvalidField(name, `${name} must not have control characters`);
  const services = servicesIn(args);
  return { id, title, services, text, stage: choiceIn(args, 'stage', noticeStages) };
}

/** An update cannot be changed once it is published: nothing of it may be lost without a word. */
function servicesIn({ services }: Args): readonly string[] | null {
  if (services === undefined) return null;
  if (Array.isArray(services) && services.every((one) => typeof one === 'string')) return services;
  throw new InvalidField('services', 'services must be a list of names or ids');
}

/** `ids`: where the id of a new notice comes from. A request that is carried out a second time changes nothing. */
export function withNotice(page: StatusPage, input: NoticeInput, nowMs: number, ids: Ids): StatusPage {
  const { title, stage, text } = input;
  const services = input.services?.map((one) => serviceId(page, one)) ?? null;
  const drawn = ids.randomBase62(10);
  const before =
    input.id === null ? (page.notices.find(({ id }) => id === drawn) ?? null) : noticeOf(page, input.id);
  const update: NoticeUpdate = { atMs: nowMs, stage, text };
  const latest = before?.updates.at(-1);
  if (latest?.atMs === nowMs && latest.stage === stage && latest.text === text) return page;
  const notice: StatusNotice = {
    ...(before ?? { id: drawn, title: '', services: [], updates: [] }),
    ...(title === null ? {} : { title }),
    ...(services === null ? {} : { services }),
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
