/**
 * Commands about status pages. Not here: the checks of their input (`status-page-input`, `status-notices`), what readers get
 * (`../status-page`).
 * Invariant: a change is made to the page as it is at that moment, in one turn: of two at once none is lost.
 */

import type { Project } from '../../domain/accounts/project.ts';
import { noticeStages, type StatusPage, statusPagePrefix } from '../../domain/accounts/status-page.ts';
import {
  statusPageFields,
  type TypedPageField,
  typedPageFields,
} from '../../domain/accounts/status-page-fields.ts';
import type { StatusPageView } from '../../domain/views/page-view.ts';
import { KnellError } from '../../lib/errors.ts';
import { asStatusPageId } from '../../lib/ids.ts';
import { type Argument, optional, required, withDefault } from '../contract/argument.ts';
import * as kind from '../contract/argument-kinds.ts';
import type { CommandContext, CommandRequest } from '../contract/command.ts';
import { command } from '../contract/declaration.ts';
import { newStatusPageIn, statusPageFieldsIn } from '../contract/status-page-input.ts';
import { notice, withNotice, withoutNotice } from './status-notices.ts';

const text = kind.readByCommand<string>(kind.text());

/** A service as it is given: checks by their UUIDs, or all of a tag. */
interface GivenService {
  readonly id?: string;
  readonly name: string;
  readonly tag?: string;
  readonly checks?: readonly string[];
}

const services = kind.readByCommand<readonly GivenService[]>({
  is: 'a list of objects: `name`, and `checks` (UUIDs) or `tag`',
  typed: (words, place) => kind.listTyped(words).map((one) => serviceTyped(one, place)),
});

function serviceTyped(typed: string, place: string): GivenService {
  const [, name, value = ''] = /^(.+?)=(.+)$/.exec(typed) ?? [];
  if (name === undefined)
    throw new KnellError('usage', `${place} is NAME=tag:TAG or NAME=UUID,UUID, not ${JSON.stringify(typed)}`);
  return value.startsWith('tag:') ? { name, tag: value.slice(4) } : { name, checks: value.split(',') };
}

type PageValue = Exclude<TypedPageField, 'slug'>;
type PageValues = Readonly<Record<PageValue, Argument<string | undefined, string | undefined>>>;

/** Out of the table of a page's values. The address has a place of its own. */
function valueArguments(
  argumentOf: (name: PageValue) => Argument<string | undefined, string | undefined>,
): PageValues {
  const names = typedPageFields.filter((name): name is PageValue => name !== 'slug');
  return Object.fromEntries(names.map((name) => [name, argumentOf(name)])) as PageValues;
}

const valuesOfNewPage = valueArguments((name) => {
  const { option, default: whenAbsent, help } = statusPageFields[name];
  const line = option ? `--${option.name} <${option.value}>` : null;
  const said = option?.help ?? help;
  return whenAbsent === null ? required(text, line, said) : withDefault(text, whenAbsent, line, said);
});
const valuesOfPage = valueArguments((name) => {
  const { option, help } = statusPageFields[name];
  return optional(text, null, option?.help ?? help);
});

/** Fields that are not on the command line, which others see: they are set on the page. */
const hidden = {
  password: optional(text, null, 'that its readers need; empty for none'),
  logo: optional(text, null, 'in Base64; empty for none'),
};

export const statusPageCommands = {
  'status-page list': command({
    effect: 'reads',
    role: 'editor',
    help: 'list the status pages of a project',
    takes: { project: required(kind.project, '[project]') },
    run: ({ project }, { context }) => context.engine.read.statusPages(project.id),
    shown: (pages, context) => pages.map((page) => shownStatusPage(page, context)),
  }),
  'status-page show': command({
    effect: 'reads',
    role: 'editor',
    help: 'show a status page with its notices',
    takes: { page: required(kind.statusPage, '<page>') },
    run: ({ page }) => page,
    shown: shownStatusPage,
  }),
  'status-page create': command({
    effect: 'changes',
    role: 'editor',
    help: 'create a status page, shown at /status/SLUG',
    more: `Example:
  knell status-page create default northwind --title "Northwind status" --service Backups=tag:backup`,
    takes: {
      project: required(kind.project, '<project>'),
      slug: required(text, '<slug>', 'its address below /status/'),
      ...valuesOfNewPage,
      services: optional(
        services,
        '--service <service...>',
        'NAME=tag:TAG, or NAME=UUID,UUID: the name for readers, and its checks',
      ),
      ...hidden,
    },
    async run({ project }, request) {
      const { context, nowMs } = request;
      const { fields, password } = newStatusPageIn(request, project);
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
  }),
  'status-page edit': command({
    effect: 'changes',
    role: 'editor',
    line: null,
    help: 'edit a status page; what is omitted keeps its value',
    takes: {
      page: required(kind.statusPage, null),
      slug: optional(text, null, 'its address'),
      ...valuesOfPage,
      services: optional(services, null, 'all of them'),
      ...hidden,
    },
    async run({ page }, request) {
      const { context } = request;
      const { fields, password } = statusPageFieldsIn(request, projectOf(request, page));
      const passwordHash = await hashed(context, password);
      return changed(context, page, (now) => ({
        ...now,
        ...fields,
        ...(passwordHash === null ? {} : { passwordHash }),
      }));
    },
    shown: shownStatusPage,
  }),
  'status-page delete': command({
    effect: 'changes',
    role: 'editor',
    help: 'delete a status page with its notices',
    takes: { page: required(kind.statusPage, '<page>') },
    async run({ page }, { context }) {
      await context.engine.change.deleteStatusPage(page.id);
      return page;
    },
    shown: ({ id, slug }) => ({ id, slug, deleted: true }),
  }),
  'status-page notice': command({
    effect: 'changes',
    role: 'editor',
    help: 'write a notice, or with --update one more update of it',
    takes: {
      page: required(kind.statusPage, '<page>'),
      text: withDefault(notice.text, '', '[text]', 'what its readers get to read'),
      stage: withDefault(kind.choice(noticeStages), 'investigating', '--stage <stage>', 'how far it is'),
      title: optional(notice.title, '--title <title>', 'of a new notice'),
      services: optional(notice.services, '--service <name...>', 'the services that it is about'),
      notice: optional(kind.text(), '--update <notice>', 'the id of the notice that is updated'),
    },
    run: ({ page, ...written }, { context, nowMs }) =>
      changed(context, page, (now) => withNotice(now, written, nowMs, context.engine.change.ids)),
    shown: shownStatusPage,
  }),
  'status-page delete-notice': command({
    effect: 'changes',
    role: 'editor',
    line: null,
    help: 'delete a notice of a status page',
    takes: {
      page: required(kind.statusPage, null),
      notice: required(kind.text(), null, 'its id'),
    },
    run: ({ page, notice }, { context }) => changed(context, page, (now) => withoutNotice(now, notice)),
    shown: shownStatusPage,
  }),
} as const;

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

/** The page for those who may edit it: everything but the password and the logo. */
export function statusPageView(page: StatusPage): StatusPageView {
  const { id, passwordHash, logo, services, notices } = page;
  const typed = Object.fromEntries(typedPageFields.map((name) => [name, page[name]]));
  return {
    id,
    ...(typed as Pick<StatusPage, TypedPageField>),
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

/** A status page as commands print it. */
export interface ShownStatusPage extends StatusPageView {
  readonly url: string;
}

function shownStatusPage(page: StatusPage, { baseUrl }: CommandContext): ShownStatusPage {
  return { ...statusPageView(page), url: baseUrl() + statusPagePrefix + page.slug };
}
