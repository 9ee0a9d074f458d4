/**
 * Commands about status pages. Not here: the checks of their input (`status-page-input`, `status-notices`), what readers get
 * (`../status-page`).
 * Invariant: a change is made to the page as it is at that moment, in one turn: of two at once none is lost.
 */

import type { Project } from '../../domain/accounts/project.ts';
import type { StatusPage } from '../../domain/accounts/status-page.ts';
import { statusPagePrefix } from '../../domain/accounts/status-page.ts';
import type { StatusPageView } from '../../domain/views/page-view.ts';
import { KnellError } from '../../lib/errors.ts';
import { asStatusPageId } from '../../lib/ids.ts';
import { type CommandContext, type CommandRequest, type OwnerCommand, textIn } from '../contract/command.ts';
import { newStatusPageIn, type StatusPageFields, statusPageFieldsIn } from '../contract/status-page-input.ts';
import { type NoticeInput, noticeIn, withNotice, withoutNotice } from './status-notices.ts';

export const listStatusPages: OwnerCommand<Project, readonly StatusPage[], readonly ShownStatusPage[]> = {
  effect: 'reads',
  role: 'editor',
  input: ({ targets }) => targets.project(),
  run: ({ id }, { context }) => context.engine.read.statusPages(id),
  shown: (pages, context) => pages.map((page) => shownStatusPage(page, context)),
};

export const showStatusPage: OwnerCommand<StatusPage, StatusPage, ShownStatusPage> = {
  effect: 'reads',
  role: 'editor',
  input: ({ targets }) => targets.statusPage(),
  run: (page) => page,
  shown: shownStatusPage,
};

interface PageToCreate extends ReturnType<typeof newStatusPageIn> {
  readonly project: Project;
}

export const createStatusPage: OwnerCommand<PageToCreate, StatusPage, ShownStatusPage> = {
  effect: 'changes',
  role: 'editor',
  input(request) {
    const project = request.targets.project();
    return { project, ...newStatusPageIn(request, project) };
  },
  async run({ project, fields, password }, { context, nowMs }) {
    const passwordHash = await hashed(context, password);
    const id = asStatusPageId(context.engine.change.ids.newUuid());
    return context.engine.change.putStatusPage({
      id,
      projectId: project.id,
      ...fields,
      passwordHash: passwordHash ?? '',
      notices: [],
      createdAtMs: nowMs,
    });
  },
  shown: shownStatusPage,
};

interface PageEdit extends StatusPageFields {
  readonly page: StatusPage;
}

export const editStatusPage: OwnerCommand<PageEdit, StatusPage, ShownStatusPage> = {
  effect: 'changes',
  role: 'editor',
  input(request) {
    const page = request.targets.statusPage();
    return { page, ...statusPageFieldsIn(request, projectOf(request, page)) };
  },
  async run({ page, fields, password }, { context }) {
    const passwordHash = await hashed(context, password);
    return changed(context, page, (now) => ({
      ...now,
      ...fields,
      ...(passwordHash === null ? {} : { passwordHash }),
    }));
  },
  shown: shownStatusPage,
};

export const deleteStatusPage: OwnerCommand<
  StatusPage,
  StatusPage,
  Pick<StatusPage, 'id' | 'slug'> & { readonly deleted: true }
> = {
  effect: 'changes',
  role: 'editor',
  input: ({ targets }) => targets.statusPage(),
  async run(page, { context }) {
    await context.engine.change.deleteStatusPage(page.id);
    return page;
  },
  shown: ({ id, slug }) => ({ id, slug, deleted: true }),
};

/** A new notice, or an update of one. */
export const writeNotice: OwnerCommand<
  { readonly page: StatusPage; readonly notice: NoticeInput },
  StatusPage,
  ShownStatusPage
> = {
  effect: 'changes',
  role: 'editor',
  input: ({ args, targets }) => ({ page: targets.statusPage(), notice: noticeIn(args) }),
  run: ({ page, notice }, { context, nowMs }) =>
    changed(context, page, (now) => withNotice(now, notice, nowMs, context.engine.change.ids)),
  shown: shownStatusPage,
};

export const deleteNotice: OwnerCommand<
  { readonly page: StatusPage; readonly notice: string },
  StatusPage,
  ShownStatusPage
> = {
  effect: 'changes',
  role: 'editor',
  input: ({ args, targets }) => ({ page: targets.statusPage(), notice: textIn(args, 'notice') }),
  run: ({ page, notice }, { context }) => changed(context, page, (now) => withoutNotice(now, notice)),
  shown: shownStatusPage,
};

function projectOf({ context }: CommandRequest, { projectId }: StatusPage): Project {
  const project = context.engine.read.project(projectId);
  if (!project) throw gone;
  return project;
}

const gone = new KnellError('not-found', 'this status page was deleted');

async function changed(
  { engine }: CommandContext,
  { id }: StatusPage,
  change: (now: StatusPage) => StatusPage,
): Promise<StatusPage> {
  const now = engine.read.statusPage(id);
  if (!now) throw gone;
  return engine.change.putStatusPage(change(now));
}

/** Null: as it is. */
async function hashed({ passwords }: CommandContext, password: string | null): Promise<string | null> {
  if (password === null || password === '') return password;
  const hash = await passwords.hash(password);
  if (hash === null)
    throw new KnellError('conflict', 'too many passwords are being set, try again in a moment');
  return hash;
}

/** For those who may edit it: everything but the password and the logo. */
export function statusPageView(page: StatusPage): StatusPageView {
  const { id, slug, title, description, timeZone, passwordHash, logo, services, notices } = page;
  return {
    id,
    slug,
    title,
    description,
    timeZone,
    hasPassword: passwordHash !== '',
    hasLogo: logo !== '',
    services: services.map(({ id, name, checks, tag }) => ({ id, name, checks, tag })),
    notices: notices.map(({ id, title, services, updates }) => ({
      id,
      title,
      services,
      updates: updates.map(({ atMs, stage, text }) => ({ atMs, stage, text })),
    })),
  };
}

/** As commands print it. */
export interface ShownStatusPage extends StatusPageView {
  readonly url: string;
}

function shownStatusPage(page: StatusPage, { baseUrl }: CommandContext): ShownStatusPage {
  return { ...statusPageView(page), url: baseUrl() + statusPagePrefix + page.slug };
}
