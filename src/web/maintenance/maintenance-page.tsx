/** The page of a project's maintenance windows: those that are on first, then those to come, then those that are over. */

import { useRef, useState } from 'preact/hooks';
import { channelTitle } from '../../domain/accounts/channel-title.ts';
import type { IntegrationsView, IntegrationView } from '../../domain/views/integration-view.ts';
import type { MaintenanceAnswer, MaintenanceListAnswer } from '../../domain/views/maintenance-view.ts';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { deleteWindow, endWindow } from '../actions/maintenance.tsx';
import { messageOf, useAsk } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import { addressOf, maintenanceAddress, newForm, useFormIn } from '../core/route.ts';
import { useTab } from '../core/tab.ts';
import { zoneName } from '../core/time-style.ts';
import { useEvery } from '../core/use-every.ts';
import { useFocus, useFocusAfterForm } from '../core/use-focus.ts';
import { useNow } from '../core/use-now.ts';
import { checksWords } from '../core/words.ts';
import { tagsOf } from '../rows/filter.ts';
import { nameOf } from '../rows/row-words.ts';
import { useAllRows } from '../rows/use-rows.ts';
import { SettingsHead } from '../settings/settings-head.tsx';
import { Act, Copyable, Problem, Sure } from '../ui/bits.tsx';
import { Icon } from '../ui/icons.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Shape } from '../ui/status-mark.tsx';
import { MaintenanceForm } from './maintenance-form.tsx';
import { nextZone, quietWords, ruleWords, stateWords, timesWords } from './maintenance-words.ts';
import { withQuiet } from './who-fields.tsx';
import '../style/panels.css';

/** Windows begin and end by themselves, which the server does not publish. */
const askEveryMs = 30_000;

/** `form`: of the window whose form is open, its id; `new` for that of a new one; empty for none. */
export function Maintenance(props: PageProps & { readonly form: string }) {
  const { state, project, role, live, mayEdit, form } = props;
  const path = `/web/in/${project}/maintenance`;
  const { data, error, reload } = useAsk<MaintenanceListAnswer>(path);
  useEvery(askEveryMs, reload);
  const rows = useAllRows(project, live);
  const integrations = useAsk<IntegrationsView>(`/web/in/${project}/integrations`).data?.integrations ?? null;
  const { open, close } = useFormIn(maintenanceAddress(project));
  const isNew = form === newForm && mayEdit;
  useTab(live.summary, 'Maintenance');
  const nowMs = useNow(live.offsetMs);
  const windows = [...(data?.maintenance ?? [])].sort((a, b) => placeOf(a) - placeOf(b));
  const edited = windows.find(({ uuid }) => uuid === form);
  const isForm = isNew || edited !== undefined;
  const isGone = data !== null && form !== '' && !isForm;
  useFocus(data ? `${windows.length} ${isNew}` : '');
  const opener = useRef<HTMLButtonElement>(null);
  useFocusAfterForm(opener, isNew);
  const hasOtherZone = windows.some((one) => nextZone(one) !== null);
  const hasNoChecks = live.summary?.all === 0;
  const mayBeQuiet = integrations !== null && withQuiet(integrations).length > 0;
  const saved = (): void => {
    close();
    reload();
  };
  return (
    <>
      <SettingsHead at="maintenance" {...{ state, project, role }} />
      <div class="page-head">
        {isForm ? (
          <PageHead
            list="Maintenance"
            href={maintenanceAddress(project)}
            title={edited ? `Edit “${edited.name}”` : 'Create maintenance window'}
            heading="h2"
          />
        ) : (
          <h2>Maintenance</h2>
        )}
        {data && !isForm && (
          <button ref={opener} type="button" class="main" onClick={() => open(newForm)}>
            <Icon name="plus" />
            Create maintenance window
          </button>
        )}
      </div>
      <p>
        While a window is on, nobody is notified of failures of its checks. That a check is up again is sent
        only if its failure was. Pings are recorded. What went down in the window and is still down when it
        ends is sent then; what was sent before is not sent again.
        {mayBeQuiet && ' A window of quiet hours silences only the integrations that you choose.'}
      </p>
      <Problem text={mayEdit ? error : 'Only owners and editors can see the maintenance windows.'} />
      <Problem text={isGone ? 'This maintenance window was deleted or the link is wrong.' : ''} />
      {data && windows.length === 0 && !isNew && (
        <div class="card nothing-yet">
          <p>
            No maintenance window yet. A script can start one with the{' '}
            <a href={addressOf(project, 'settings')}>ping key</a> of the project. This one lasts two hours:
          </p>
          <Copyable text={`curl -fsS ${state.baseUrl}/ping/$PING_KEY/maintenance/2h`} isAddress />
        </div>
      )}
      {isNew && (
        <MaintenanceForm
          window={null}
          {...{ path, rows, hasNoChecks, integrations, nowMs, saved }}
          preview={`${path}/preview`}
          cancel={close}
        />
      )}
      {hasOtherZone && !isForm && (
        <p class="faint">Times are in {zoneName()} unless another time zone is named.</p>
      )}
      {/* What is created or edited is alone. */}
      <ul class="plain" hidden={isNew}>
        {windows.map((window) => (
          <Line
            key={window.uuid}
            {...{ window, project, path, rows, hasNoChecks, integrations, nowMs }}
            isEdited={window === edited}
            isHidden={edited !== undefined && window !== edited}
            open={() => open(window.uuid)}
            close={close}
            changed={reload}
          />
        ))}
      </ul>
    </>
  );
}

/** Those that are on, in the order in which they end; those to come, in that in which they begin; the others. */
function placeOf({ until_active: until, next: [next] }: MaintenanceAnswer): number {
  if (until !== null) return Date.parse(until) - Number.MAX_SAFE_INTEGER / 2;
  return next ? Date.parse(next.from) : Number.MAX_SAFE_INTEGER;
}

interface LineProps {
  readonly window: MaintenanceAnswer;
  readonly project: string;
  readonly path: string;
  readonly rows: readonly CheckRow[];
  /** Null until they are there. */
  readonly integrations: readonly IntegrationView[] | null;
  readonly hasNoChecks: boolean;
  readonly nowMs: number;
  readonly isEdited: boolean;
  /** Whether another one is edited. */
  readonly isHidden: boolean;
  readonly open: () => void;
  readonly close: () => void;
  readonly changed: () => void;
}

function Line(props: LineProps) {
  const { window, path, rows, hasNoChecks, integrations, nowMs, isEdited, open, close, changed } = props;
  const [failed, setFailed] = useState('');
  const opener = useRef<HTMLButtonElement>(null);
  const { name, uuid, by } = window;
  useFocusAfterForm(opener, isEdited);
  const isQuiet = window.integrations.length > 0;
  const names = integrations && new Map(integrations.map((one) => [one.id, channelTitle(one)]));
  const said = [
    quietWords(window, names),
    scopeWords(window, rows, hasNoChecks || rows.length > 0),
    timesWords(window, nowMs),
    window.counts_as_downtime && !isQuiet ? 'Counts as downtime' : '',
    `Created by ${by}`,
  ];
  const rule = ruleWords(window);
  const own = `${path}/${uuid}`;
  const end = (): Promise<void> => {
    // It goes to the end of the list, and the reader stays here.
    const next = opener.current?.closest('li')?.nextElementSibling?.querySelector<HTMLElement>('.edit');
    return endWindow(props.project, window, { count: null, changed }).then(
      () => (next ?? opener.current)?.focus({ preventScroll: true }),
      (error: unknown) => setFailed(messageOf(error)),
    );
  };
  // In the place of what it says and does: the form says all of it.
  if (isEdited)
    return (
      <li class="card status-page">
        <MaintenanceForm
          {...{ window, rows, hasNoChecks, integrations, nowMs }}
          path={own}
          preview={`${path}/preview`}
          saved={() => {
            close();
            changed();
          }}
          cancel={close}
        />
      </li>
    );
  return (
    <li class="card status-page maintenance" hidden={props.isHidden}>
      <h3>{name}</h3>
      <span class={window.active ? 'on' : window.next.length === 0 ? 'faint' : 'when'}>
        {window.active && (isQuiet ? <Icon name="moon" size={16} /> : <Shape of="maintenance" size={16} />)}
        {rule || stateWords(window, nowMs)}
      </span>
      {window.active && (
        <Act run={end} failed={setFailed}>
          End now<span class="hidden"> {name}</span>
        </Act>
      )}
      <button ref={opener} type="button" class="quiet edit" onClick={open}>
        Edit<span class="hidden"> {name}</span>
      </button>
      <Sure
        label="Delete…"
        of={name}
        title={`Delete ${name}?`}
        ask={`${name} will be deleted.${window.active ? ' It is on: alerts that it holds back are sent.' : ''}`}
        yes="Delete"
        run={() => deleteWindow(props.project, window, changed)}
        isDanger={true}
      />
      {rule !== '' && <p class="when">{stateWords(window, nowMs)}</p>}
      <p class="faint">{said.filter((part) => part !== '').join('. ')}.</p>
      <Problem text={failed} />
    </li>
  );
}

/** Checks that are named at most. */
const namedMax = 3;

/** A window that no check is in has no effect, which is nowhere else to be seen. `isKnown`: whether `rows` are there. */
function scopeWords(
  { checks, tags }: MaintenanceAnswer,
  rows: readonly CheckRow[],
  isKnown: boolean,
): string {
  if (checks.length === 0 && tags.length === 0) return 'All checks';
  const tagged = rows.filter((row) => tagsOf(row).some((tag) => tags.includes(tag))).length;
  const count = isKnown ? ` (${tagged === 0 ? 'no check now' : checksWords(tagged)})` : '';
  const names = rows.filter(({ id }) => checks.includes(id)).map(nameOf);
  const more = names.length - namedMax;
  const named = [...names.slice(0, namedMax), ...(more > 0 ? [`${more} more`] : [])];
  return [
    ...(tags.length === 0 ? [] : [`${tags.length === 1 ? 'Tag' : 'Tags'}: ${tags.join(', ')}${count}`]),
    ...(named.length === 0 ? [] : [`${names.length === 1 ? 'Check' : 'Checks'}: ${named.join(', ')}`]),
  ].join('. ');
}
