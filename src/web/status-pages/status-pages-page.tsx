/**
 * The page of a project's public status pages: they are listed, created and edited here, and notices are written on them by
 * hand.
 */
import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { CheckRow, StatusPagesView, StatusPageView } from '../../domain/views/page-view.ts';
import { fromRoot } from '../core/base-path.ts';
import { send, useAsk } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import { addressOf } from '../core/route.ts';
import { useTab } from '../core/tab.ts';
import { useFocus, useFocusAfterForm } from '../core/use-focus.ts';
import { toggled } from '../rows/list-query.ts';
import { useAllRows } from '../rows/use-rows.ts';
import { CopyButton, Problem, Sure } from '../ui/bits.tsx';
import { Icon } from '../ui/icons.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Notices } from './status-notices.tsx';
import { StatusPageForm } from './status-page-form.tsx';
import '../style/panels.css';

export function StatusPages({ state, project, live }: PageProps) {
  const path = `/web/in/${project}/status-pages`;
  const urlStart = `${state.baseUrl}/status/`;
  const { data, error, reload } = useAsk<StatusPagesView>(path);
  const rows = useAllRows(project, live);
  const [isNew, setNew] = useState(false);
  /** Ids of the pages whose forms are open. */
  const [edited, setEdited] = useState<readonly string[]>([]);
  const title = isNew ? 'Create status page' : 'Status pages';
  useTab(live.summary, title);
  const pages = data?.pages ?? [];
  useFocus(data ? `${pages.length} ${isNew}` : '');
  const opener = useRef<HTMLButtonElement>(null);
  useFocusAfterForm(opener, isNew);
  const firstCheck = live.summary?.all === 0 ? addressOf(project, 'new') : '';
  const saved = (): void => {
    setNew(false);
    reload();
  };
  return (
    <>
      <div class="page-head">
        {isNew ? (
          <PageHead
            list="Status pages"
            href={addressOf(project, 'status-pages')}
            title={title}
            back={() => setNew(false)}
          />
        ) : (
          <h1>{title}</h1>
        )}
        {data && !isNew && (
          // A form that is open has the main button.
          <button
            ref={opener}
            type="button"
            class={edited.length === 0 ? 'main' : ''}
            onClick={() => setNew(true)}
          >
            <Icon name="plus" />
            Create status page
          </button>
        )}
      </div>
      <p>
        A status page shows people without an account whether your services work. They see the names that you
        write here, never those of checks.
      </p>
      <Problem text={error} />
      {data && pages.length === 0 && !isNew && (
        <p class="card nothing-yet">
          No status page yet. A page needs a title, an address, and at least one service with the checks
          behind it.
        </p>
      )}
      {isNew && (
        <StatusPageForm
          page={null}
          {...{ path, urlStart, rows, firstCheck, saved }}
          cancel={() => setNew(false)}
        />
      )}
      {/* What is created is alone. What is typed in the forms of other pages stays. */}
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
            isEdited={edited.includes(page.id)}
            turn={() => setEdited((before) => toggled(before, page.id))}
            changed={reload}
          />
        ))}
      </ul>
    </>
  );
}

interface LineProps {
  /** As of the form. */
  readonly firstCheck: string;
  readonly page: StatusPageView;
  /** Path of the page at the server. */
  readonly path: string;
  /** As of the form. */
  readonly urlStart: string;
  readonly rows: readonly CheckRow[];
  readonly offsetMs: number;
  readonly isEdited: boolean;
  /** Opens its form, or closes it. */
  readonly turn: () => void;
  readonly changed: () => void;
}

function Line(props: LineProps) {
  const { page, path, urlStart, rows, firstCheck, offsetMs, isEdited, turn, changed } = props;
  const opener = useRef<HTMLButtonElement>(null);
  useFocusAfterForm(opener, isEdited);
  const saved = (): void => {
    turn();
    changed();
  };
  return (
    <li class="card status-page">
      {isEdited ? (
        <StatusPageForm {...{ page, path, urlStart, rows, firstCheck, saved }} cancel={turn} />
      ) : (
        <Head {...{ page, path, changed, opener }} url={urlStart + page.slug} open={turn} />
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
  const { title, slug, services, hasPassword } = page;
  return (
    <>
      <h2>{title}</h2>
      <span class="faint">
        {services.length} {services.length === 1 ? 'service' : 'services'},{' '}
        {hasPassword ? 'with a password' : 'public'}, at /status/{slug}
      </span>
      <span class="acts">
        <a class="button quiet" href={fromRoot(`/status/${slug}`)} target="_blank" rel="noreferrer">
          Open<span class="hidden"> {title} in a new tab</span>
        </a>
        <CopyButton text={url} label="Copy URL" />
        <button ref={opener} type="button" class="quiet" onClick={open}>
          Edit<span class="hidden"> {title}</span>
        </button>
        <Sure
          label="Delete"
          of={title}
          ask={`${title} will be deleted. Its address will return 404.`}
          yes="Delete"
          run={() => send('DELETE', path).then(changed)}
          isDanger={true}
        />
      </span>
    </>
  );
}
