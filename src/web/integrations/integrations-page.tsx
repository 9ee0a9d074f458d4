/** The page of the project's integrations: how each works, and adding one; or the matrix of who gets notified about what. */

import { useMemo } from 'preact/hooks';
import { getsAlerts } from '../../domain/accounts/project.ts';
import type { IntegrationsView, IntegrationView } from '../../domain/views/integration-view.ts';
import { useAsk } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import { addressOf, go, replaceSearch, useSearch } from '../core/route.ts';
import { useTab } from '../core/tab.ts';
import { useEvery } from '../core/use-every.ts';
import { useFocus } from '../core/use-focus.ts';
import { useNow } from '../core/use-now.ts';
import { Problem } from '../ui/bits.tsx';
import { Icon } from '../ui/icons.tsx';
import { askedEveryMs, healthOf } from './integration-health.ts';
import { Line } from './integration-line.tsx';
import { KindGallery } from './kind-gallery.tsx';
import { Matrix } from './matrix.tsx';
import '../style/integrations.css';

export function Integrations(props: PageProps) {
  const { state, role, project, live, mayEdit, reloadState } = props;
  const isOwner = role === 'owner';
  const showsMatrix = new URLSearchParams(useSearch()).get('view') === 'matrix';
  const { data, error, reload } = useAsk<IntegrationsView>(`/web/in/${project}/integrations`, live.version);
  const nowMs = useNow(live.offsetMs);
  useTab(live.summary, 'Integrations');
  useEvery(askedEveryMs, reload);
  const changed = (): void => {
    reload();
    reloadState();
  };
  const all = data?.integrations ?? [];
  const facts = { nowMs, missing: state.missing };
  const integrations = useOrder(all, (one) => rankOf(one, facts));
  const alerted = all.filter(getsAlerts);
  useFocus(data ? String(integrations.length) : '');
  return (
    <>
      <div class="page-head">
        <h1>Integrations</h1>
        {integrations.length > 0 && <span class="count">{integrations.length} in this project</span>}
        {mayEdit && alerted.length > 0 && <Views showsMatrix={showsMatrix} />}
        {mayEdit && integrations.length > 0 && (
          <button
            type="button"
            class="main"
            onClick={showsMatrix ? () => go(addressOf(project, 'integrations', 'new')) : showKinds}
          >
            <Icon name="plus" /> Add integration
          </button>
        )}
      </div>
      <Problem text={error} />
      {data && integrations.length === 0 && (
        <p>None yet. An integration is where alerts go: email, Slack, a webhook…</p>
      )}
      {showsMatrix && mayEdit && alerted.length > 0 ? (
        <Matrix {...props} channels={alerted} changed={reload} />
      ) : (
        <>
          {data && integrations.length > 0 && (
            <div class="integrations">
              <Heads />
              <ul class="plain">
                {integrations.map((one) => (
                  <Line
                    key={one.id}
                    integration={one}
                    project={project}
                    checks={data.checks}
                    missing={state.missing}
                    mayEdit={mayEdit}
                    isOwner={isOwner}
                    mayAllow={state.mayAllow}
                    nowMs={nowMs}
                    changed={changed}
                  />
                ))}
              </ul>
            </div>
          )}
          {data && mayEdit && <KindGallery project={project} missing={state.missing} isOwner={isOwner} />}
        </>
      )}
    </>
  );
}

/** What needs somebody first: those that fail, then what is not quite right, and last those that are turned off. */
function rankOf(
  one: IntegrationView,
  { nowMs, missing }: { readonly nowMs: number; readonly missing: PageProps['state']['missing'] },
): number {
  const { isFailing, mark } = healthOf(one, { nowMs, missing: missing[one.kind] ?? [] });
  return isFailing ? 0 : mark === 'late' ? 1 : one.disabled ? 3 : 2;
}

/** Sorts by rank, and again only when other integrations are there: no row moves under the pointer because its health changed. */
function useOrder(
  all: readonly IntegrationView[],
  rank: (one: IntegrationView) => number,
): readonly IntegrationView[] {
  const ids = all.map(({ id }) => id).join(' ');
  const places = useMemo(
    () => new Map([...all].sort((a, b) => rank(a) - rank(b)).map(({ id }, at) => [id, at])),
    [ids],
  );
  return [...all].sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
}

/** The kinds are below the integrations, which may be many. */
function showKinds(): void {
  const gallery = document.querySelector('.gallery');
  gallery?.scrollIntoView({ block: 'start' });
  gallery?.querySelector('input')?.focus({ preventScroll: true });
}

function Views({ showsMatrix }: { readonly showsMatrix: boolean }) {
  return (
    <fieldset class="segments" aria-label="View">
      <button type="button" aria-pressed={!showsMatrix} onClick={() => replaceSearch('')}>
        List
      </button>
      <button type="button" aria-pressed={showsMatrix} onClick={() => replaceSearch('view=matrix')}>
        Who gets notified about what
      </button>
    </fieldset>
  );
}

/** The heads of the columns are for the eye; each row says the same for screen readers. */
function Heads() {
  return (
    <div class="integration-heads" aria-hidden="true">
      <span />
      <span>Integration</span>
      <span>Health</span>
      <span class="recent">Last 20 notifications</span>
      <span class="last">Last notification</span>
      <span class="used">Used for</span>
    </div>
  );
}
