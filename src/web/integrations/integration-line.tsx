/** The row of one integration: how it works, what it was notified of, and the buttons that test, edit, turn off and delete it. */

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { channelTitle } from '../../domain/accounts/channel-title.ts';
import { getsAlerts } from '../../domain/accounts/project.ts';
import type { IntegrationView } from '../../domain/views/integration-view.ts';
import type { PageState } from '../../domain/views/page-view.ts';
import { capital } from '../../domain/words/capital.ts';
import { kinds } from '../../integrations/all.ts';
import { messageOf, send } from '../core/calls.ts';
import { addressOf, go, settingAddress } from '../core/route.ts';
import { exactTime, relativeWords } from '../core/words.ts';
import { Act, Answers, breakable, Problem } from '../ui/bits.tsx';
import { Icon } from '../ui/icons.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Shape } from '../ui/status-mark.tsx';
import { say } from '../ui/toasts.tsx';
import { blockedLast, FailedTest, TestAnswer, useTest } from './failed-test.tsx';
import {
  type Column,
  columnsOf,
  type Health,
  healthOf,
  kindLine,
  notificationWords,
  outcomeWords,
  usedWords,
} from './integration-health.ts';
import { hasTroubles, Troubles } from './integration-troubles.tsx';
import { columnsShown, NotificationColumns } from './notification-columns.tsx';
import { untestableWords } from './unconfigured.tsx';
import { unsentWords } from './unsent-words.ts';

export interface LineProps {
  readonly integration: IntegrationView;
  readonly project: string;
  /** Number of the project's checks. */
  readonly checks: number;
  readonly missing: PageState['missing'];
  readonly mayEdit: boolean;
  readonly isOwner: boolean;
  /** As in the state of the page. */
  readonly mayAllow: boolean;
  readonly nowMs: number;
  readonly changed: () => void;
}

/** The integration that was saved last, whose row gets the focus where its form goes back to the list; empty once it has it. */
const saved = { id: '' };

export function focusRowOf(id: string): void {
  saved.id = id;
}

/** The ref of what gets the focus in the row of `id`. */
function useSavedRow(id: string) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (saved.id !== id) return;
    saved.id = '';
    // After the page, which gives it to its whole.
    const timer = setTimeout(() => link.current?.focus());
    return () => clearTimeout(timer);
  }, [id]);
  return link;
}

export function Line(props: LineProps) {
  const { integration, project, checks, missing, mayEdit, nowMs } = props;
  const [failed, setFailed] = useState('');
  const lacks = missing[integration.kind] ?? [];
  const health = healthOf(integration, { nowMs, missing: lacks, isOwner: props.isOwner });
  const [name, line] = [channelTitle(integration), kindLine(integration)];
  const columns = columnsOf(integration, columnsShown);
  const last = columns.at(-1);
  const { failure, answer, test } = useTest(project, integration.id, name, {
    lastError: integration.lastError,
    // What failed besides tests has the button in its own row.
    before: hasTroubles(integration) ? null : blockedLast(integration, mayEdit && props.mayAllow),
  });
  const link = useSavedRow(integration.id);
  const tested = (): Promise<void> => test().finally(props.changed);
  return (
    <li class="integration" aria-label={name}>
      <div class="integration-row">
        <span class="kind-icon">
          <Icon name={kinds[integration.kind].icon} />
        </span>
        <span class="channel-name">
          {mayEdit ? (
            <a ref={link} href={addressOf(project, 'integrations', integration.id)}>
              {name}
            </a>
          ) : (
            <strong>{name}</strong>
          )}
          {line !== '' && line !== name && <span>{line}</span>}
        </span>
        <HealthOf {...{ integration, health, lacks }} isOwner={props.isOwner} />
        <span class="recent">
          <NotificationColumns name={name} columns={columns} nowMs={nowMs} />
        </span>
        <span class={last ? 'last' : 'last none'} title={last ? exactTime(last.atMs) : undefined}>
          <span class={last ? 'lead' : 'hidden'}>Last notification: </span>
          <span>{last ? lastWords(last, nowMs) : '–'}</span>
          <span>{last ? notificationWords(last) : ''}</span>
        </span>
        <span class="used">
          <span class="hidden">Used for </span>
          <UsedFor {...{ integration, project, checks, mayEdit, name }} />
        </span>
        {mayEdit && <Actions {...props} name={name} test={tested} failed={setFailed} />}
      </div>
      <Problem text={failed} />
      {failure !== null && (
        <div class="integration-more">
          <FailedTest reason={failure} isOwner={props.isOwner} again={tested} />
        </div>
      )}
      {answer && (
        <div class="integration-more">
          <TestAnswer answer={answer} />
        </div>
      )}
      {integration.unverified && mayEdit && <Unverified {...props} name={name} failed={setFailed} />}
      <Troubles {...props} isFailing={health.isFailing} lacks={lacks} />
    </li>
  );
}

/** Returns when it was, and what became of it: one that nobody got looks like the others. */
function lastWords({ atMs, outcome, error }: Column, nowMs: number): string {
  const words = {
    ...{ delivered: '', failed: 'failed', retrying: 'failed' },
    ...{ superseded: unsentWords(error), held: outcomeWords.held },
  }[outcome];
  return [relativeWords(atMs, nowMs), ...(words === '' ? [] : [words])].join(', ');
}

interface HealthProps extends Pick<LineProps, 'integration' | 'isOwner'> {
  readonly health: Health;
  readonly lacks: readonly string[];
}

/** The mark and the words, and by which setting an owner helps it. */
function HealthOf({ integration, health, lacks, isOwner }: HealthProps) {
  return (
    <span class={`health ${health.mark}`}>
      <Shape of={health.mark} />
      <span>
        <strong>{health.words}</strong>
        {health.note !== '' && <span>{breakable(health.note)}</span>}
        {isOwner && lacks[0] && !hasTroubles(integration) && (
          <a href={settingAddress(lacks[0])}>Set {breakable(lacks.join(', '))}</a>
        )}
      </span>
    </span>
  );
}

/** What its row in the list says of how it works, above its form. */
export function IntegrationFacts(props: LineProps) {
  const { integration, missing, nowMs, isOwner } = props;
  const lacks = missing[integration.kind] ?? [];
  const health = healthOf(integration, { nowMs, missing: lacks, isOwner });
  const last = columnsOf(integration, columnsShown).at(-1);
  return (
    <div class="integration card facts">
      <div class="facts-line">
        <HealthOf {...{ integration, health, lacks, isOwner }} />
        {last && (
          <span class="faint" title={exactTime(last.atMs)}>
            Last notification {lastWords(last, nowMs)} · {notificationWords(last)}
          </span>
        )}
      </div>
      <Troubles {...props} isFailing={health.isFailing} lacks={lacks} />
    </div>
  );
}

type UsedForProps = Pick<LineProps, 'integration' | 'project' | 'checks' | 'mayEdit'> & {
  readonly name: string;
};

/** Where it may be changed, it is the way to the matrix, in which it is. */
function UsedFor({ integration, project, checks, mayEdit, name }: UsedForProps) {
  if (!getsAlerts(integration)) return 'Events of the project';
  const words = usedWords(integration.usedFor, checks);
  if (!mayEdit) return words;
  return (
    <a href={`${addressOf(project, 'integrations')}?view=matrix`}>
      {words}
      <span class="hidden"> (choose those for {name})</span>
    </a>
  );
}

interface ActionsProps extends LineProps {
  readonly name: string;
  readonly failed: (error: string) => void;
}

function Actions({
  integration,
  project,
  missing,
  name,
  test,
  failed,
  changed,
}: ActionsProps & { readonly test: () => Promise<void> }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const box = useRef<HTMLSpanElement>(null);
  const { id, disabled } = integration;
  const path = `/web/in/${project}/channels/${id}`;
  const turn = (off: boolean): Promise<void> => send('POST', path, { disabled: off }).then(changed);
  const turned = (off: boolean): void => {
    turn(off).then(
      () => say(`${name} turned ${off ? 'off' : 'on'}.`, () => turn(!off), [id]),
      (reason: unknown) => failed(messageOf(reason)),
    );
  };
  return (
    <span class="acts" ref={box}>
      <Act run={test} failed={failed} offBecause={capital(untestableWords(integration, missing))}>
        Send test<span class="hidden"> to {name}</span>
      </Act>
      <Menu class="symbol" label={<Icon name="more" />} name={`More for ${name}`} isRight>
        <MenuItem run={() => go(addressOf(project, 'integrations', id))}>
          <Icon name="pencil" />
          Edit
        </MenuItem>
        <MenuItem run={() => turned(!disabled)}>
          <Icon name={disabled ? 'play' : 'pause'} />
          Turn {disabled ? 'on' : 'off'}
        </MenuItem>
        <hr />
        <MenuItem class="danger" run={() => dialog.current?.showModal()}>
          <Icon name="trash" />
          Delete…
        </MenuItem>
      </Menu>
      <DeleteQuestion
        dialog={dialog}
        name={name}
        run={() =>
          send('DELETE', path).then(() => {
            // What was said of it before, with its way back, holds no more.
            say(`${name} was deleted.`, null, [id]);
            changed();
          })
        }
        closed={() => box.current?.querySelector<HTMLElement>('[aria-haspopup]')?.focus()}
      />
    </span>
  );
}

interface QuestionProps {
  readonly dialog: { current: HTMLDialogElement | null };
  readonly name: string;
  readonly run: () => Promise<unknown>;
  /** Called when the question closes: the item that opened it is gone with its menu. */
  readonly closed?: () => void;
  readonly children?: ComponentChildren;
}

export function DeleteQuestion({ dialog, name, run, closed }: QuestionProps) {
  const [failed, setFailed] = useState('');
  const close = (): void => dialog.current?.close();
  return (
    <dialog ref={dialog} aria-label={`Delete ${name}`} onClose={closed}>
      <h2>Delete {name}?</h2>
      <p>{name} will not be notified about any check. Its settings are deleted.</p>
      <Answers yes="Delete" run={() => run().then(close)} close={close} {...{ failed, setFailed }} isDanger />
    </dialog>
  );
}

/** The line of an address that has to be confirmed, from its email or by an owner. */
function Unverified({ integration, project, isOwner, name, failed, changed }: ActionsProps) {
  const path = `/web/in/${project}/channels/${integration.id}`;
  const resend = () => send('POST', `${path}/verify`).then(() => say('The verification email was sent.'));
  return (
    <div class="integration-more">
      <Act class="quiet" run={resend} failed={failed}>
        Send the verification email again<span class="hidden"> to {name}</span>
      </Act>
      {isOwner && (
        <Act class="quiet" run={() => send('POST', `${path}/confirm`).then(changed)} failed={failed}>
          Skip verification<span class="hidden">: {name}</span>
        </Act>
      )}
    </div>
  );
}
