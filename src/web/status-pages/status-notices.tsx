/** The notices of a status page: what readers see about an incident, update by update. */

import { useRef, useState } from 'preact/hooks';
import { type NoticeStage, noticeStages } from '../../domain/accounts/status-page.ts';
import { statusPageBounds as bounds } from '../../domain/accounts/status-page-limits.ts';
import type {
  ListedStatusPageView,
  ServiceStatusView,
  StatusNoticeView,
} from '../../domain/views/page-view.ts';
import { messageOf, Refusal, send } from '../core/calls.ts';
import type { Mark } from '../core/status-words.ts';
import { useFirstField, useFocusAfterForm } from '../core/use-focus.ts';
import { useNow } from '../core/use-now.ts';
import { Problem, Sure, Time } from '../ui/bits.tsx';
import { FieldErrorText, markedInvalid, useFormErrors } from '../ui/field-error.tsx';
import { FieldNote } from '../ui/field-note.tsx';
import { Shape } from '../ui/status-mark.tsx';
import { say } from '../ui/toasts.tsx';
import { dropDraft, keepDraft, type NoticeDraft, noticeDraft } from './notice-draft.ts';

const stageWords: Readonly<Record<NoticeStage, string>> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
};

interface NoticesProps {
  readonly page: ListedStatusPageView;
  readonly path: string;
  /** Milliseconds by which the server's clock is ahead of this one. */
  readonly offsetMs: number;
  readonly changed: () => void;
  /** Whether they are out of sight. What is typed in them stays. */
  readonly isHidden: boolean;
}

/** Of the form of a new notice. */
const newNotice = 'new';

export function Notices({ page, path, offsetMs, changed, isHidden }: NoticesProps) {
  const open = page.notices.filter(({ updates }) => updates.at(-1)?.stage !== 'resolved').length;
  const box = useRef<HTMLDetailsElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  /** The notice whose form is open: its id, or that of a new one; empty for none. One at a time has a button that publishes. */
  const [written, setWritten] = useState(() => begun(page, path));
  useFocusAfterForm(opener, written === newNotice);
  const write = (id: string): void => {
    if (box.current) box.current.open = true;
    setWritten(id);
  };
  const published = (): void => {
    setWritten('');
    say('Published.');
    changed();
  };
  return (
    <div class="notices" hidden={isHidden}>
      <button
        ref={opener}
        type="button"
        class="quiet"
        aria-expanded={written === newNotice}
        onClick={() => write(newNotice)}
      >
        Post a notice<span class="hidden"> on {page.title}</span>
      </button>
      <details
        ref={box}
        open={open > 0 || written !== ''}
        class={page.notices.length === 0 ? 'none-yet' : undefined}
      >
        <summary>
          Notices<span class="hidden"> of {page.title}</span>{' '}
          <span class="faint">{countWords(open, page.notices.length - open)}</span>
        </summary>
        {written === newNotice && (
          <UpdateForm
            page={page}
            path={`${path}/notices`}
            stage="investigating"
            {...{ published }}
            cancel={() => write('')}
          />
        )}
        <ul class="plain">
          {page.notices.map((notice) => (
            <Notice
              key={notice.id}
              notice={notice}
              path={`${path}/notices/${notice.id}`}
              isOpen={notice.id === written}
              {...{ offsetMs, changed, write, published }}
            />
          ))}
        </ul>
      </details>
    </div>
  );
}

/** Returns what somebody has begun to write and has neither published nor given up: as {@link newNotice}, or the id of a notice. */
function begun(page: ListedStatusPageView, path: string): string {
  if (noticeDraft(`${path}/notices`)) return newNotice;
  return page.notices.find(({ id }) => noticeDraft(`${path}/notices/${id}`))?.id ?? '';
}

/** `1 open, 3 resolved`. */
function countWords(open: number, resolved: number): string {
  const said = [...(open > 0 ? [`${open} open`] : []), ...(resolved > 0 ? [`${resolved} resolved`] : [])];
  return said.join(', ') || 'none yet';
}

interface NoticeProps extends Pick<NoticesProps, 'path' | 'offsetMs' | 'changed'> {
  readonly notice: StatusNoticeView;
  readonly isOpen: boolean;
  readonly write: (id: string) => void;
  readonly published: () => void;
}

function Notice({ notice, path, offsetMs, changed, isOpen, write, published }: NoticeProps) {
  const nowMs = useNow(offsetMs);
  const opener = useRef<HTMLButtonElement>(null);
  useFocusAfterForm(opener, isOpen);
  const last = notice.updates.at(-1);
  return (
    <li class="line posted">
      <strong>{notice.title}</strong>
      <span class="faint">
        {stageWords[last?.stage ?? 'investigating']}, <Time atMs={last?.atMs ?? null} nowMs={nowMs} />
      </span>
      <button
        ref={opener}
        type="button"
        class="quiet"
        aria-expanded={isOpen}
        onClick={() => write(notice.id)}
      >
        Update<span class="hidden"> {notice.title}</span>
      </button>
      <Sure
        label="Delete…"
        of={notice.title}
        title={`Delete ${notice.title}?`}
        ask={`${notice.title} will be gone from the page and its feed.`}
        yes="Delete"
        run={() => send('DELETE', path).then(changed)}
        isDanger
      />
      {isOpen && (
        <UpdateForm
          page={null}
          path={path}
          stage={next(last?.stage)}
          {...{ published }}
          cancel={() => write('')}
        />
      )}
    </li>
  );
}

function next(stage: NoticeStage | undefined): NoticeStage {
  return noticeStages[noticeStages.indexOf(stage ?? 'investigating') + 1] ?? 'resolved';
}

interface UpdateFormProps {
  /** The page of a new notice; null for an update of one. */
  readonly page: ListedStatusPageView | null;
  readonly path: string;
  /** Stage that is chosen at first. */
  readonly stage: NoticeStage;
  readonly published: () => void;
  readonly cancel: () => void;
}

function UpdateForm({ page, path, stage, published, cancel }: UpdateFormProps) {
  const { form, invalid, failed, otherThan } = useFormErrors();
  const [begun] = useState(() => noticeDraft(path));
  useFirstField(form);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const { title, services, ...update } = typedIn(event.currentTarget);
    const done = (): void => {
      dropDraft(path);
      published();
    };
    await send('POST', path, page ? { title, ...update, services } : update).then(done, (reason: unknown) =>
      failed(messageOf(reason), reason instanceof Refusal ? reason.field : ''),
    );
  };
  const typed = (event: InputEvent): void => {
    failed('');
    if (event.currentTarget instanceof HTMLFormElement) keepDraft(path, typedIn(event.currentTarget));
  };
  const giveUp = (): void => {
    dropDraft(path);
    cancel();
  };
  return (
    <form class="check-form" onSubmit={submit} onInput={typed} ref={form} noValidate>
      <fieldset>
        <legend>{page ? 'Post a notice' : 'Post an update'}</legend>
        {page && (
          <label>
            Title for readers
            <input
              name="title"
              maxLength={bounds.noticeTitleCharsMax}
              defaultValue={begun?.title}
              {...markedInvalid('title', invalid)}
            />
          </label>
        )}
        <FieldErrorText name="title" invalid={invalid} />
        <label>
          Stage
          <select name="stage" defaultValue={begun?.stage ?? stage}>
            {noticeStages.map((one) => (
              <option key={one} value={one} selected={one === (begun?.stage ?? stage)}>
                {stageWords[one]}
              </option>
            ))}
          </select>
        </label>
        <label>
          Text <FieldNote isOptional>web addresses become links</FieldNote>
          <textarea
            name="text"
            rows={3}
            maxLength={bounds.updateCharsMax}
            defaultValue={begun?.text}
            {...markedInvalid('text', invalid)}
          />
        </label>
        <FieldErrorText name="text" invalid={invalid} />
        {page && page.services.length > 0 && (
          <fieldset>
            <legend>Affected services</legend>
            {page.services.map((service, place) => (
              <Service
                key={service.id}
                {...service}
                status={page.statuses[place] ?? 'none'}
                begun={begun?.services.includes(service.id)}
              />
            ))}
          </fieldset>
        )}
        <Problem text={otherThan('title', 'text')} />
        <div class="actions">
          <button type="submit" class="main">
            Publish
          </button>
          <button type="button" onClick={giveUp}>
            Cancel
          </button>
        </div>
      </fieldset>
    </form>
  );
}

function typedIn(form: HTMLFormElement): NoticeDraft {
  const fields = new FormData(form);
  const text = (name: string): string => String(fields.get(name) ?? '');
  const stage = noticeStages.find((one) => one === text('stage')) ?? 'investigating';
  return { title: text('title'), stage, text: text('text'), services: fields.getAll('service').map(String) };
}

const statusWords: Readonly<Record<ServiceStatusView, string>> = {
  down: 'down',
  late: 'late',
  maintenance: 'in maintenance',
  up: 'up',
  waiting: 'waiting for a ping',
  paused: 'paused',
  none: 'no data yet',
};

const statusMarks: Readonly<Record<ServiceStatusView, Mark>> = {
  ...{ down: 'down', late: 'late', maintenance: 'maintenance', up: 'up' },
  ...{ waiting: 'new', paused: 'paused', none: 'new' },
};

interface ServiceProps {
  readonly id: string;
  readonly name: string;
  readonly status: ServiceStatusView;
  /** Whether it is ticked in what was begun; undefined if nothing was. */
  readonly begun: boolean | undefined;
}

/** One that is down when the form is opened is ticked: most notices are about it. What it becomes changes no tick. */
function Service({ id, name, status, begun }: ServiceProps) {
  const [isTicked] = useState(begun ?? status === 'down');
  return (
    <label class="tick">
      <input type="checkbox" name="service" value={id} defaultChecked={isTicked} />
      <span>
        {name}{' '}
        <span class="faint notice-status">
          <Shape of={statusMarks[status]} size={14} /> {statusWords[status]}
        </span>
      </span>
    </label>
  );
}
