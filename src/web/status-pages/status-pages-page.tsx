/**
 * The page of a project's public status pages: they are listed, created and edited here, and notices are written on them by
 * hand.
 */
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { CheckRow, ListedStatusPageView, StatusPagesView } from '../../domain/views/page-view.ts';
import { fromRoot } from '../core/base-path.ts';
import { send, useAsk } from '../core/calls.ts';
import type { Live } from '../core/live.ts';
import type { PageProps } from '../core/page-props.ts';
import { addressOf, newForm, useFormIn } from '../core/route.ts';
import { useTab } from '../core/tab.ts';
import { useEvery } from '../core/use-every.ts';
import { useFocus, useFocusAfterForm } from '../core/use-focus.ts';
import { useSettled } from '../core/use-settled.ts';
import { useAllRows } from '../rows/use-rows.ts';
import { CopyButton, Problem, Sure } from '../ui/bits.tsx';
import { Icon } from '../ui/icons.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Shape } from '../ui/status-mark.tsx';
import { say } from '../ui/toasts.tsx';
import { Notices } from './status-notices.tsx';
import { StatusPageForm } from './status-page-form.tsx';
import '../style/incidents.css';
import '../style/panels.css';

/** `form`: of the page whose form is open, its id; `new` for that of a new one; empty for none. */
export function StatusPages({ state, project, live, mayEdit, form }: PageProps & { readonly form: string }) {
  const path = `/web/in/${project}/status-pages`;
  const urlStart = `${state.baseUrl}/status/`;
  const { data, error, reload } = useAsk<StatusPagesView>(path);
  const rows = useAllRows(project, live);
  const { open, close } = useFormIn(addressOf(project, 'status-pages'));
  const isNew = form === newForm && mayEdit;
  const pages = data?.pages ?? [];
  const edited = pages.find(({ id }) => id === form);
  const isForm = isNew || edited !== undefined;
  const isGone = data !== null && form !== '' && !isForm;
  useReloading(live, isForm, reload);
  useTab(live.summary, isNew ? 'Create status page' : edited ? 'Edit status page' : 'Status pages');
  useFocus(data ? `${pages.length} ${isNew}` : '');
  const opener = useRef<HTMLButtonElement>(null);
  useFocusAfterForm(opener, isNew);
  const firstCheck = live.summary?.all === 0 ? addressOf(project, 'new') : '';
  const saved = (words: string): void => {
    say(words);
    close();
    reload();
  };
  return (
    <>
      <div class="page-head">
        {isForm ? (
          <PageHead
            list="Status pages"
            href={addressOf(project, 'status-pages')}
            title={edited?.title ?? 'Create status page'}
          />
        ) : (
          <h1>Status pages</h1>
        )}
        {edited && (
          <a class="button" href={fromRoot(`/status/${edited.slug}`)} target="_blank" rel="noreferrer">
            Open the page<span class="hidden"> in a new tab</span>
          </a>
        )}
        {data && !isForm && (
          <button
            ref={opener}
            type="button"
            class={pages.length === 0 && live.summary?.all === 0 ? '' : 'main'}
            onClick={() => open(newForm)}
          >
            <Icon name="plus" />
            Create status page
          </button>
        )}
      </div>
      <p>
        A status page shows people without an account whether your services work. You name the services; the
        names of checks stay hidden.
      </p>
      <Problem text={error || (isGone ? 'This status page was deleted or the link is wrong.' : '')} />
      {data && pages.length === 0 && !isNew && (
        <None hasChecks={live.summary?.all !== 0} {...{ project, mayEdit }} />
      )}
      {isNew && (
        <StatusPageForm page={null} {...{ path, urlStart, rows, firstCheck, saved }} cancel={close} />
      )}
      {/* What is created or edited is alone. What is typed in the notices of other pages stays. */}
      <ul class="plain" hidden={isNew}>
        {pages.map((page) => (
          <Line
            key={page.id}
            page={page}
            path={`${path}/${page.id}`}
            urlStart={urlStart}
            rows={rows}
            firstCheck={firstCheck}
            offsetMs={live.offsetMs}
            isEdited={page === edited}
            isHidden={edited !== undefined && page !== edited}
            open={() => open(page.id)}
            close={close}
            changed={reload}
          />
        ))}
      </ul>
    </>
  );
}

interface NoneProps extends Pick<PageProps, 'project' | 'mayEdit'> {
  readonly hasChecks: boolean;
}

function None({ hasChecks, project, mayEdit }: NoneProps) {
  return (
    <div class="card no-incidents">
      <Icon name="bars" size={40} />
      <h2>No status page yet</h2>
      <p>
        A page shows services, and a service shows the status of its checks.
        {!hasChecks && ' Create a check first, or a page with a tag that checks will have.'}
      </p>
      {!hasChecks && mayEdit && (
        <a class="button main" href={addressOf(project, 'new')}>
          <Icon name="plus" />
          Create a check
        </a>
      )}
    </div>
  );
}

/** Readers' pages load themselves as often. */
const askEveryMs = 60_000;

/** Asks again as time passes, and when more or fewer checks are late or down; not while a form is open. */
function useReloading({ summary }: Live, isForm: boolean, reload: () => void): void {
  useEvery(isForm ? null : askEveryMs, reload);
  const counts = summary?.counts;
  const settled = useSettled(counts ? `${counts.down} ${counts.late}` : null);
  useEffect(() => {
    if (settled > 0 && !isForm) reload();
  }, [settled, isForm]);
}

interface LineProps {
  /** As of the form. */
  readonly firstCheck: string;
  readonly page: ListedStatusPageView;
  /** Path of the page at the server. */
  readonly path: string;
  /** As of the form. */
  readonly urlStart: string;
  readonly rows: readonly CheckRow[];
  readonly offsetMs: number;
  readonly isEdited: boolean;
  /** Whether another one is edited. */
  readonly isHidden: boolean;
  readonly open: () => void;
  readonly close: () => void;
  readonly changed: () => void;
}

function Line(props: LineProps) {
  const { page, path, urlStart, rows, firstCheck, offsetMs, isEdited, isHidden, open, close, changed } =
    props;
  const opener = useRef<HTMLButtonElement>(null);
  useFocusAfterForm(opener, isEdited);
  const saved = (words: string): void => {
    say(words);
    close();
    changed();
  };
  return (
    <li class="card status-page" hidden={isHidden}>
      {isEdited ? (
        <StatusPageForm {...{ page, path, urlStart, rows, firstCheck, saved }} cancel={close} />
      ) : (
        <Head {...{ page, path, changed, opener, open }} url={urlStart + page.slug} />
      )}
      {/* They are written at once: below the form they would look as if its button published them. */}
      <Notices page={page} path={path} offsetMs={offsetMs} changed={changed} isHidden={isEdited} />
    </li>
  );
}

interface HeadProps extends Pick<LineProps, 'page' | 'path' | 'changed'> {
  /** Address for its readers. */
  readonly url: string;
  readonly opener: RefObject<HTMLButtonElement | null>;
  readonly open: () => void;
}

/** What it is, and what can be done with it. */
function Head({ page, path, url, changed, opener, open }: HeadProps) {
  const { title, slug, services, hasPassword, banner } = page;
  return (
    <>
      <h2>{title}</h2>
      <span class="faint">
        {services.length} {services.length === 1 ? 'service' : 'services'},{' '}
        {hasPassword ? 'with a password' : 'public'}, at /status/{slug}
      </span>
      <p class="readers-see">
        <Shape of={banner.status === 'none' ? 'new' : banner.status} size={16} />
        <span>
          Readers see: <strong>{banner.title}</strong>
          {banner.status !== 'up' && banner.text !== '' && <> · {banner.text}</>}
        </span>
      </p>
      <span class="acts">
        <a class="button quiet" href={fromRoot(`/status/${slug}`)} target="_blank" rel="noreferrer">
          Open<span class="hidden"> {title} in a new tab</span>
        </a>
        <CopyButton text={url} label="Copy URL" />
        <button ref={opener} type="button" class="quiet" onClick={open}>
          Edit<span class="hidden"> {title}</span>
        </button>
        <Sure
          label="Delete…"
          of={title}
          title={`Delete ${title}?`}
          ask={`${title} will be deleted. Its address will return 404.`}
          yes="Delete"
          run={() =>
            send('DELETE', path).then(() => {
              say(`${title} was deleted.`);
              changed();
            })
          }
          isDanger={true}
        />
      </span>
    </>
  );
}
