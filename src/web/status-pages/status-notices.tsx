/** The notices of a status page: what readers see about an incident, update by update. */

import { useRef, useState } from 'preact/hooks';
import { type NoticeStage, noticeStages } from '../../domain/accounts/status-page.ts';
import { statusPageBounds as bounds } from '../../domain/accounts/status-page-limits.ts';
import type { StatusNoticeView, StatusPageView } from '../../domain/views/page-view.ts';
import { messageOf, send } from '../core/calls.ts';
import { useNow } from '../core/use-now.ts';
import { Problem, Sure, Time } from '../ui/bits.tsx';
import { useUnchanged } from '../ui/unchanged.tsx';

const stageWords: Readonly<Record<NoticeStage, string>> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
};

interface NoticesProps {
  readonly page: StatusPageView;
  readonly path: string;
  /** Milliseconds by which the server's clock is ahead of this one. */
  readonly offsetMs: number;
  readonly changed: () => void;
  /** Whether they are out of sight. What is typed in them stays. */
  readonly isHidden: boolean;
}

export function Notices({ page, path, offsetMs, changed, isHidden }: NoticesProps) {
  const open = page.notices.filter(({ updates }) => updates.at(-1)?.stage !== 'resolved').length;
  const box = useRef<HTMLDetailsElement>(null);
  return (
    <div class="notices" hidden={isHidden}>
      <button type="button" class="quiet" onClick={() => box.current && openForm(box.current)}>
        Post a notice<span class="hidden"> on {page.title}</span>
      </button>
      <details ref={box} open={open > 0} class={page.notices.length === 0 ? 'none-yet' : undefined}>
        <summary>
          Notices<span class="hidden"> of {page.title}</span>{' '}
          <span class="faint">{countWords(open, page.notices.length - open)}</span>
        </summary>
        <ul class="plain">
          {page.notices.map((notice) => (
            <Notice
              key={notice.id}
              notice={notice}
              path={`${path}/notices/${notice.id}`}
              offsetMs={offsetMs}
              changed={changed}
            />
          ))}
        </ul>
        <UpdateForm page={page} path={`${path}/notices`} stage="investigating" written={changed} />
      </details>
    </div>
  );
}

/** What is typed next belongs to a new notice. */
function openForm(box: HTMLDetailsElement): void {
  box.open = true;
  const form = box.querySelector(':scope > form');
  form?.scrollIntoView({ block: 'nearest' });
  form?.querySelector('input')?.focus();
}

/** `1 open, 3 resolved`. */
function countWords(open: number, resolved: number): string {
  const said = [...(open > 0 ? [`${open} open`] : []), ...(resolved > 0 ? [`${resolved} resolved`] : [])];
  return said.join(', ') || 'none yet';
}

function Notice({
  notice,
  path,
  offsetMs,
  changed,
}: { readonly notice: StatusNoticeView } & Omit<NoticesProps, 'page' | 'isHidden'>) {
  const nowMs = useNow(offsetMs);
  const [isOpen, setOpen] = useState(false);
  const last = notice.updates.at(-1);
  const written = (): void => {
    setOpen(false);
    changed();
  };
  return (
    <li class="line">
      <strong>{notice.title}</strong>
      <span class="faint">
        {stageWords[last?.stage ?? 'investigating']}, <Time atMs={last?.atMs ?? null} nowMs={nowMs} />
      </span>
      <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Update<span class="hidden"> {notice.title}</span>
      </button>
      <Sure
        label="Delete"
        of={notice.title}
        ask={`${notice.title} will be gone from the page and its feed.`}
        yes="Delete"
        run={() => send('DELETE', path).then(changed)}
      />
      {isOpen && <UpdateForm page={null} path={path} stage={next(last?.stage)} written={written} />}
    </li>
  );
}

function next(stage: NoticeStage | undefined): NoticeStage {
  return noticeStages[noticeStages.indexOf(stage ?? 'investigating') + 1] ?? 'resolved';
}

interface UpdateFormProps {
  /** The page of a new notice; null for an update of one. */
  readonly page: StatusPageView | null;
  readonly path: string;
  /** Stage that is chosen at first. */
  readonly stage: NoticeStage;
  readonly written: () => void;
}

function UpdateForm({ page, path, stage, written }: UpdateFormProps) {
  const [failed, setFailed] = useState('');
  const box = useRef<HTMLFormElement>(null);
  useUnchanged(box, false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    if (!(form instanceof HTMLFormElement)) return;
    const fields = new FormData(form);
    const { title, stage, text } = Object.fromEntries(fields);
    const services = fields.getAll('service');
    try {
      await send('POST', path, page ? { title, stage, text, services } : { stage, text });
      form.reset();
      setFailed('');
      written();
    } catch (reason) {
      setFailed(messageOf(reason));
    }
  };
  return (
    <form class="check-form" onSubmit={submit} ref={box} noValidate>
      <fieldset>
        <legend>{page ? 'Post a notice' : 'Post an update'}</legend>
        {page && (
          <label>
            Title for readers
            <input name="title" maxLength={bounds.noticeTitleCharsMax} />
          </label>
        )}
        <label>
          Stage
          <select name="stage" defaultValue={stage}>
            {noticeStages.map((one) => (
              <option key={one} value={one} selected={one === stage}>
                {stageWords[one]}
              </option>
            ))}
          </select>
        </label>
        <label>
          Text
          <textarea name="text" rows={3} maxLength={bounds.updateCharsMax} />
        </label>
        {page && page.services.length > 0 && (
          <fieldset>
            <legend>Affected services</legend>
            {page.services.map(({ id, name }) => (
              <label key={id} class="tick">
                <input type="checkbox" name="service" value={id} />
                {name}
              </label>
            ))}
          </fieldset>
        )}
        <Problem text={failed} />
        <div class="actions">
          <button type="submit" class={page ? '' : 'main'}>
            Publish
          </button>
        </div>
      </fieldset>
    </form>
  );
}
