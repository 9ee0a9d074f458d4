/** The forms that rename a project, delete it or make another one, for owners. Deleting asks for its name. */

import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { planLimits } from '../../domain/accounts/plan-limits.ts';
import { firstKeyScopes } from '../../domain/accounts/project.ts';
import { projectFields as fields } from '../../domain/accounts/project-fields.ts';
import type { NewProjectView } from '../../domain/views/page-view.ts';
import { fromRoot } from '../core/base-path.ts';
import { Refusal, send } from '../core/calls.ts';
import { addressOf } from '../core/route.ts';
import { mayLeave, useStored, useUnsaved } from '../core/typed.ts';
import { useFirstField } from '../core/use-focus.ts';
import { scopeWords } from '../core/words.ts';
import { Act, Copyable, Problem } from '../ui/bits.tsx';
import { ConfirmByName } from '../ui/confirm-by-name.tsx';
import {
  type FieldError,
  FieldErrorText,
  markedInvalid,
  refuseTooLong,
  useFormErrors,
} from '../ui/field-error.tsx';
import { Panel } from '../ui/panel.tsx';
import { sayNext } from '../ui/toasts.tsx';
import { unchangedWords } from '../ui/unchanged.tsx';

interface RenameProps {
  readonly project: string;
  readonly name: string;
  readonly renamed: () => void;
}

export function Rename({ project, name, renamed }: RenameProps) {
  const [typed, setTyped] = useState(name);
  const { form, invalid, failed, typed: changed, otherThan } = useFormErrors();
  const [said, setSaid] = useState('');
  const [stored, noteSaved] = useStored(name);
  const isSame = typed.trim() === stored;
  useUnsaved(() => !isSame);
  const rename = async (): Promise<void> => {
    setSaid('');
    mustBeGiven(typed);
    refuseTooLong(typed, fields.name.charsMax, 'name');
    await send('POST', `/web/in/${project}/rename`, { name: typed });
    noteSaved(typed.trim());
    setSaid('Renamed.');
    renamed();
  };
  return (
    <Panel title="Name" help={fields.name.help} isForm form={form}>
      <div class="inline">
        <label>
          {fields.name.label}
          <input
            value={typed}
            {...markedInvalid('name', invalid)}
            onInput={({ currentTarget }) => changed(setTyped)(currentTarget.value)}
          />
        </label>
        <Act
          class="main"
          run={rename}
          failed={failed}
          offBecause={isSame ? unchangedWords : ''}
          wants={wantsName(typed)}
          isDefault
        >
          Rename
        </Act>
      </div>
      <FieldErrorText name="name" invalid={invalid} />
      <span role="status">{said}</span>
      <Problem text={otherThan('name')} />
    </Panel>
  );
}

function mustBeGiven(name: string): void {
  if (name.trim() === '') throw new Refusal('Enter a name.', 'name');
}

function wantsName(name: string): string {
  return name.trim() === '' ? 'Enter a name first.' : '';
}

const { checksMax, pingsMax } = planLimits.free;

type CreatedProject = NewProjectView & {
  readonly name: string;
  /** Those of its keys that were copied. */
  readonly copied: ReadonlySet<string>;
};

/** Whether a key of it would be lost with the page: its settings keep only the ping key whole. */
function isUncopied({ copied }: CreatedProject): boolean {
  return firstKeyScopes.some((scope) => scope !== 'ping' && !copied.has(scope));
}

interface NewProjectProps {
  readonly made: () => void;
  readonly close: () => void;
}

export function NewProject({ made, close }: NewProjectProps) {
  const [name, setName] = useState('');
  const [isLimited, setLimited] = useState(false);
  const { form, invalid, failed, typed, otherThan } = useFormErrors();
  const first = useRef<HTMLLabelElement>(null);
  /** What was created comes first: the form is closed until another one is wanted. */
  const [isTyped, setTyped] = useState(true);
  useFirstField(first, isTyped);
  /** Those whose keys are still to be saved, newest first. */
  const [created, setCreated] = useState<readonly CreatedProject[]>([]);
  useUnsaved(() => name.trim() !== '');
  useUnsaved(() => created.some(isUncopied), 'key');
  const closeAsked = (): void => {
    if (!created.some(isUncopied) || mayLeave(close)) close();
  };
  const noteCopied = (id: string, scope: string): void =>
    setCreated((before) =>
      before.map((one) => (one.id === id ? { ...one, copied: new Set([...one.copied, scope]) } : one)),
    );
  const create = async (): Promise<void> => {
    mustBeGiven(name);
    refuseTooLong(name, fields.name.charsMax, 'name');
    const view = await send<NewProjectView>('POST', '/web/projects', {
      name,
      plan: isLimited ? 'free' : 'paid',
    });
    setCreated((before) => [{ ...view, name, copied: new Set<string>() }, ...before]);
    setName('');
    setTyped(false);
    made();
  };
  return (
    <Panel
      title="New project"
      help="Its own checks, integrations, keys and members."
      isForm
      form={form}
      // The keys of those that were created are shown only once: Escape does not take them away.
      onEscape={() => created.length === 0 && close()}
    >
      {created.map((project) => (
        <FirstKeys
          key={project.id}
          of={project}
          copied={(scope) => noteCopied(project.id, scope)}
          dismiss={() => {
            setCreated((before) => before.filter(({ id }) => id !== project.id));
            if (created.length === 1 && !isTyped) close();
            else form.current?.querySelector<HTMLElement>('input, .another')?.focus();
          }}
        />
      ))}
      {isTyped ? (
        <>
          <NameAndLimit {...{ name, invalid, isLimited, setLimited }} label={first} type={typed(setName)} />
          <div class="actions">
            <Act class="main" run={create} failed={failed} wants={wantsName(name)} isDefault>
              Create project
            </Act>
            <button type="button" onClick={closeAsked}>
              {created.length > 0 ? 'Close' : 'Cancel'}
            </button>
          </div>
        </>
      ) : (
        <div class="actions">
          <button type="button" class="another" onClick={() => setTyped(true)}>
            Create another project
          </button>
          <button type="button" onClick={closeAsked}>
            Close
          </button>
        </div>
      )}
      <Problem text={otherThan('name')} />
    </Panel>
  );
}

interface NameAndLimitProps {
  readonly label: RefObject<HTMLLabelElement | null>;
  readonly name: string;
  readonly type: (name: string) => void;
  readonly invalid: FieldError;
  readonly isLimited: boolean;
  readonly setLimited: (isLimited: boolean) => void;
}

function NameAndLimit({ label, name, type, invalid, isLimited, setLimited }: NameAndLimitProps) {
  return (
    <>
      <label ref={label}>
        Name
        <input
          class="new-name"
          value={name}
          {...markedInvalid('name', invalid)}
          onInput={({ currentTarget }) => type(currentTarget.value)}
        />
      </label>
      <FieldErrorText name="name" invalid={invalid} />
      <label class="tick">
        <input
          type="checkbox"
          checked={isLimited}
          aria-describedby="limited-hint"
          onChange={({ currentTarget }) => setLimited(currentTarget.checked)}
        />
        Limit it to {checksMax} checks, with the last {pingsMax} pings of each
      </label>
      <p class="faint hint" id="limited-hint">
        For a project that others create checks in: it can't fill this server.
      </p>
    </>
  );
}

interface FirstKeysProps {
  readonly of: CreatedProject;
  readonly copied: (scope: string) => void;
  readonly dismiss: () => void;
}

function FirstKeys({ of: { id, name, keys }, copied, dismiss }: FirstKeysProps) {
  const box = useRef<HTMLDivElement>(null);
  // What is done next is to copy them: Enter on the way to the project would lose them.
  useLayoutEffect(() => box.current?.querySelector<HTMLElement>('.copyable button')?.focus(), []);
  return (
    <div class="shown-once" role="status" ref={box}>
      <p>{name} was created. Save its API keys, they won't be shown again. Its settings show the ping key.</p>
      {firstKeyScopes.map((scope) => (
        <div key={scope}>
          {scopeWords[scope]}
          <Copyable text={keys[scope]} copied={() => copied(scope)} />
        </div>
      ))}
      <div class="actions">
        <a class="button main" href={addressOf(id, 'checks')}>
          Go to {name}
        </a>
        <button type="button" onClick={dismiss}>
          Hide these keys<span class="hidden"> of {name}</span>
        </button>
      </div>
    </div>
  );
}

interface DeleteProps {
  readonly project: string;
  readonly name: string;
  readonly checks: number;
  readonly only: boolean;
}

/** What is deleted besides the checks: the same where it is offered and where it is asked. */
const othersGone = 'its keys, integrations, maintenance windows and status pages';

export function DeleteProject({ project, name, checks, only }: DeleteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <Panel
      title="Delete this project"
      help={`Its checks with their history, ${othersGone} go with it.`}
      look="danger"
    >
      {only ? (
        <p>You can't delete your only project.</p>
      ) : (
        <button type="button" class="danger" onClick={() => dialog.current?.showModal()}>
          Delete the project…
        </button>
      )}
      <dialog ref={dialog} aria-labelledby="delete-project">
        <Confirm project={project} name={name} checks={checks} close={() => dialog.current?.close()} />
      </dialog>
    </Panel>
  );
}

interface ConfirmProps extends Omit<DeleteProps, 'only'> {
  readonly close: () => void;
}

function Confirm({ project, name, checks, close }: ConfirmProps) {
  const run = async (typed: string): Promise<void> => {
    await send('POST', `/web/in/${project}/delete`, { name: typed });
    // The page is loaded again, since nothing that it knows of the project is right any more.
    sayNext(`Project ${name} was deleted.`);
    location.assign(fromRoot('/'));
  };
  return (
    <ConfirmByName
      id="delete-project"
      title="Delete this project?"
      label="Delete permanently"
      {...{ name, run, close }}
    >
      <p>
        {checks === 1
          ? `Its check with its history, ${othersGone} go with it. The ping URL of the check will return 404.`
          : `Its ${checks} checks with their history, ${othersGone} go with it. Their ping URLs will return 404.`}
      </p>
    </ConfirmByName>
  );
}
