/**
 * The three steps of an empty project: a check, its first ping, an integration. Each is ticked by itself when it is done. The
 * second listens, as the server says when the ping comes.
 */

import { type ComponentChildren, Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { IntegrationsView } from '../../domain/views/integration-view.ts';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { pingNow } from '../actions/row-actions.tsx';
import { fromRoot } from '../core/base-path.ts';
import { useAsk } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import { addressOf, crontabPage } from '../core/route.ts';
import { isFailing, NotifyStep } from '../integrations/notify-step.tsx';
import { inFront, OnlyHere, optionsOf } from '../log/ping-card.tsx';
import { graceWords, nameOf, scheduleTitle } from '../rows/row-words.ts';
import { curl } from '../snippets/snippet.ts';
import { snippets } from '../snippets/snippets.ts';
import { Copyable, LocalOnly } from '../ui/bits.tsx';
import { Icon } from '../ui/icons.tsx';
import { Shape } from '../ui/status-mark.tsx';
import '../style/check.css';
import '../style/integrations.css';

interface StepsProps extends PageProps {
  /** The first check, as the list has it. */
  readonly check: CheckRow | undefined;
  readonly integrations: number;
  readonly leave: () => void;
}

export function FirstSteps(props: StepsProps) {
  const { check, integrations, leave } = props;
  const pinged = check !== undefined && check.nPings > 0;
  const { data, reload } = useAsk<IntegrationsView>(`/web/in/${props.project}/integrations`, integrations);
  const works = data ? data.integrations.some((one) => !isFailing(one, data, props)) : integrations > 0;
  const done = [check !== undefined, pinged, works];
  const count = done.filter(Boolean).length;
  return (
    <section class="first-steps">
      <div class="first-head">
        <h1>Set up your first check</h1>
        <span class="steps-done" role="status">
          <span class="steps-bar" aria-hidden="true">
            {[0, 1, 2].map((n) => (
              <span key={n} class={n < count ? 'done' : ''} />
            ))}
          </span>
          {count} of 3 done
        </span>
        <p>Get alerted when a job doesn't run, fails or takes too long.</p>
      </div>
      <ol class="card">
        <Step number={1} title="Create a check" isDone={check !== undefined}>
          <CreateStep {...props} />
        </Step>
        <Step number={2} title="Send a ping from the job" isDone={pinged}>
          <PingStep {...props} isDone={pinged} />
        </Step>
        <Step number={3} title="Choose who gets notified" isDone={works}>
          <NotifyStep {...props} view={data} reload={reload} />
        </Step>
      </ol>
      <Elsewhere isNew={props.state.projects.length === 1 && check === undefined} />
      {check && (
        <p class="skip-steps">
          {count === 3 ? 'All done.' : 'Know your way around?'}{' '}
          <button type="button" class="quiet" onClick={leave}>
            {count === 3 ? 'Go to the list' : 'Skip to the list'}
          </button>
        </p>
      )}
    </section>
  );
}

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly isDone: boolean;
  readonly children: ComponentChildren;
}

function Step({ number, title, isDone, children }: StepProps) {
  return (
    <li class={isDone ? 'done' : ''}>
      <span class="step-mark" aria-hidden="true">
        {isDone ? <Icon name="check" /> : number}
      </span>
      <div>
        <h2>
          {title}
          {isDone && <span class="hidden"> (done)</span>}
        </h2>
        {children}
      </div>
    </li>
  );
}

function CreateStep({ project, mayEdit, check }: StepsProps) {
  if (!check)
    return (
      <>
        <p>Say how often the job runs and how late it may be.</p>
        {mayEdit && (
          <a class="button main" href={addressOf(project, 'new')}>
            <Icon name="plus" />
            Create your first check
          </a>
        )}
        {mayEdit && (
          <p>
            Or <a href={addressOf(project, 'new', crontabPage)}>paste a crontab</a>, which creates a check for
            each job.
          </p>
        )}
      </>
    );
  return (
    <p>
      <a href={addressOf(project, 'checks', check.id)}>{nameOf(check)}</a> {scheduleTitle(check)} ·{' '}
      {graceWords(check)}
    </p>
  );
}

function PingStep({ state, project, mayEdit, check, isDone }: StepsProps & { readonly isDone: boolean }) {
  if (!check || !mayEdit)
    return (
      <>
        <p>The job requests the ping URL of its check when it is done:</p>
        <pre class="example">
          backup.sh &&{' '}
          {curl.split(' ').map((word) => (
            <Fragment key={word}>
              <span class="word">{word}</span>{' '}
            </Fragment>
          ))}
          {state.baseUrl}/ping/…
        </pre>
      </>
    );
  const lines = <Snippets row={check} baseUrl={state.baseUrl} emailDomain={state.emailDomain} />;
  if (isDone)
    return (
      <>
        <p role="status">
          The first ping has come. If the job did not send it, add one of these lines to the job:
        </p>
        {lines}
      </>
    );
  return (
    <>
      <p>Add one line to the job, or run the command now to try it.</p>
      {lines}
      <div class="waiting-ping" role="status">
        <Shape of="running" />
        <strong>Waiting for the first ping</strong>
        <span class="faint">This page updates by itself.</span>
        <button type="button" onClick={() => void pingNow(project, check)}>
          <Icon name="bolt" />
          Ping now
        </button>
      </div>
    </>
  );
}

const tryNow = 'Try it now';

interface SnippetsProps {
  readonly row: CheckRow;
  readonly baseUrl: string;
  readonly emailDomain: string | null;
}

/** The few snippets that most people look for; the page of the check has all. */
function Snippets({ row, baseUrl, emailDomain }: SnippetsProps) {
  const [chosen, setChosen] = useState(tryNow);
  const url = `${baseUrl}/ping/${row.id}`;
  const options = optionsOf({ row, url, baseUrl, pingKey: null, emailDomain }, 'uuid');
  const offered = snippets
    .filter(({ name }) => inFront.includes(name) && name !== 'curl')
    .flatMap(({ name, textOf }) => {
      const text = textOf(options);
      return text === null ? [] : [{ name, text }];
    });
  const all = [{ name: tryNow, text: `curl ${url}` }, ...offered];
  return (
    <>
      <div class="tabs">
        {all.map(({ name }) => (
          <button key={name} type="button" aria-pressed={name === chosen} onClick={() => setChosen(name)}>
            {name}
          </button>
        ))}
      </div>
      <Copyable text={all.find(({ name }) => name === chosen)?.text ?? url} />
      {chosen === 'Email' ? (
        <OnlyHere emailDomain={emailDomain} />
      ) : (
        <LocalOnly url={url} what="This address" />
      )}
    </>
  );
}

const wrapWords = (
  <>
    Wrap a job with <code>knell run</code>.
  </>
);

const moving = [
  'Move from Healthchecks',
  'An import needs an empty data directory: do it first.',
  'docs/moving-from-healthchecks',
  'tray',
] as const;

const others = [
  ['Use the command line', wrapWords, 'docs/commands', 'terminal'],
  ['Read the guide', 'Schedules, grace time, exit status.', 'docs/', 'list'],
] as const;

/** `isNew`: of a Knell with one project, as long as it has no checks: an import begins with an empty data directory. */
function Elsewhere({ isNew }: { readonly isNew: boolean }) {
  return (
    <ul class="elsewhere">
      {[...(isNew ? [moving] : []), ...others].map(([title, text, path, icon]) => (
        <li key={title}>
          <a class="card" href={fromRoot(`/${path}`)}>
            <strong>
              <Icon name={icon} /> {title}
            </strong>
            <span>{text}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
