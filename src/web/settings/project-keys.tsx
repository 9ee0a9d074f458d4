/** The keys and wall links of a project: what each is, how new ones are created, renamed and revoked. */

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type KeyScope, keyScopes } from '../../domain/accounts/project.ts';
import { nameCharsMax } from '../../domain/limits.ts';
import type { NewKeyView, ProjectSettings } from '../../domain/views/page-view.ts';
import { capital } from '../../domain/words/capital.ts';
import { fromRoot } from '../core/base-path.ts';
import { send } from '../core/calls.ts';
import { wallAddress } from '../core/route.ts';
import { formatted, zoneSuffix } from '../core/time-style.ts';
import { useUnsaved } from '../core/typed.ts';
import { useFirstField, useFocusAfterForm } from '../core/use-focus.ts';
import { useInSight } from '../core/use-in-sight.ts';
import { minuteTime, scopeWords } from '../core/words.ts';
import { Act, Copyable, CopyButton, Problem, Sure } from '../ui/bits.tsx';
import {
  FieldErrorText,
  type FormErrors,
  markedInvalid,
  refuseTooLong,
  useFormErrors,
} from '../ui/field-error.tsx';
import { FieldNote } from '../ui/field-note.tsx';
import { Panel } from '../ui/panel.tsx';
import { say } from '../ui/toasts.tsx';
import { unchangedWords } from '../ui/unchanged.tsx';

/** The first is what Enter creates: the one that can do least harm with the whole API. */
const offeredScopes: readonly [KeyScope, ...KeyScope[]] = ['read-only', 'read-write', 'ping', 'wall'];

/** The order of the store is that of their ids, which are random. */
function oldestFirst(keys: ProjectSettings['keys']): ProjectSettings['keys'] {
  const placeOf = ({ scope }: ProjectSettings['keys'][number]): number => keyScopes.indexOf(scope);
  return [...keys].sort((a, b) => a.createdAtMs - b.createdAtMs || placeOf(a) - placeOf(b));
}

/** Whether only its beginning is known: the rest was shown once. */
function isCut({ clear, beginning }: ProjectSettings['keys'][number]): boolean {
  return clear === null && beginning !== undefined;
}

/** Says which key is meant. */
function keyWords({ name, scope, createdAtMs }: ProjectSettings['keys'][number]): string {
  return [
    name,
    name ? scopeWords[scope].toLowerCase() : scopeWords[scope],
    `created ${minuteTime(createdAtMs)}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** `lastUsed` is a day of UTC: today is, too. */
function usedWords(lastUsed: string | null, nowMs: number): string {
  if (lastUsed === null) return 'Not used yet';
  const today = new Date(nowMs).toISOString().slice(0, 10);
  if (lastUsed === today) return 'Last used today';
  const year = lastUsed.slice(0, 4) === today.slice(0, 4) ? {} : ({ year: 'numeric' } as const);
  const date = formatted(Date.parse(lastUsed), { day: 'numeric', month: 'short', ...year, timeZone: 'UTC' });
  return `Last used ${date}${zoneSuffix('UTC')}`;
}

interface KeysProps {
  readonly data: ProjectSettings;
  readonly baseUrl: string;
  readonly project: string;
  readonly isOwner: boolean;
  readonly offsetMs: number;
  readonly reload: () => void;
}

export function Keys({ data, project, baseUrl, isOwner, offsetMs, reload }: KeysProps) {
  /** The newest first. */
  const [made, setMade] = useState<readonly CreatedKey[]>([]);
  const named = useRef<HTMLInputElement>(null);
  const { form, invalid, failed, typed, otherThan } = useFormErrors();
  const [name, setName] = useState('');
  const [isAsked, ask] = useState(false);
  useUnsaved(() => name.trim() !== '');
  useUnsaved(() => made.some(isUnsaved), 'key');
  const mark = useInSight(made[0]?.text ?? '', otherThan('key_name'));
  /** Which kind is wanted is not for Enter in the name to say. */
  const askWhich = (event: SubmitEvent): void => {
    event.preventDefault();
    ask(true);
    form.current?.querySelector<HTMLElement>('.actions button')?.focus();
  };
  const create = async (scope: KeyScope): Promise<void> => {
    ask(false);
    refuseTooLong(name, nameCharsMax, 'name');
    const { id, key } = await send<NewKeyView>('POST', `/web/in/${project}/keys`, {
      scope,
      ...(name.trim() === '' ? {} : { name: name.trim() }),
    });
    setName('');
    const text = scope === 'wall' ? location.origin + wallAddress('', key) : key;
    // One that nobody has copied yet stays: it would be lost.
    setMade((before) => [
      { id, name: name.trim(), scope, text, isCopied: false },
      ...before.filter(isUnsaved),
    ]);
    reload();
  };
  const copied = (id: string): void =>
    setMade((before) => before.map((one) => (one.id === id ? { ...one, isCopied: true } : one)));
  const hide = (id: string): void => setMade((before) => before.filter((one) => one.id !== id));
  const dismiss = (id: string): void => {
    hide(id);
    named.current?.focus();
  };
  return (
    <Panel
      title="Keys and links"
      help="Keys are for programs and jobs, wall links for screens in the office."
    >
      <div ref={mark} class="in-sight" />
      {made.map((one) => (
        <NewKey
          key={one.id}
          of={one}
          baseUrl={baseUrl}
          dismiss={() => dismiss(one.id)}
          copied={() => copied(one.id)}
        />
      ))}
      <Problem text={otherThan('key_name')} />
      {data.keys.some(isCut) && (
        <p class="faint">A key or link that ends in “…” was shown whole only once, when it was created.</p>
      )}
      <ul class="plain">
        {oldestFirst(data.keys).map((key) => (
          <KeyLine
            key={key.id}
            of={key}
            {...{ project, isOwner, offsetMs, reload }}
            // It works no more: nobody is to save it.
            revoked={() => hide(key.id)}
          />
        ))}
      </ul>
      {isOwner && (
        <form ref={form} noValidate onSubmit={askWhich}>
          <label>
            Name of a new key or link <FieldNote isOptional />
            <input
              ref={named}
              name="key_name"
              autocomplete="off"
              value={name}
              onInput={({ currentTarget: { value } }) => typed(setName)(value)}
              {...markedInvalid('key_name', invalid)}
            />
          </label>
          <FieldErrorText name="key_name" invalid={invalid} />
          <div class="actions even">
            {offeredScopes.map((scope) => (
              <Act key={scope} run={() => create(scope)} failed={atField('key_name', failed)}>
                Create {scopeWords[scope].toLowerCase()}
                {scope === 'wall' ? '' : ' key'}
              </Act>
            ))}
          </div>
          <p class="hint" role="status">
            {isAsked && 'Choose by the buttons what it is for.'}
          </p>
          <Purposes project={project} baseUrl={baseUrl} />
        </form>
      )}
    </Panel>
  );
}

interface CreatedKey {
  readonly id: string;
  /** Empty for none. */
  readonly name: string;
  readonly scope: KeyScope;
  /** What is to be copied. */
  readonly text: string;
  readonly isCopied: boolean;
}

/** Whether it would be lost with the page: the list keeps only ping keys whole. */
function isUnsaved({ scope, isCopied }: CreatedKey): boolean {
  return scope !== 'ping' && !isCopied;
}

interface NewKeyProps {
  readonly of: CreatedKey;
  readonly baseUrl: string;
  readonly dismiss: () => void;
  readonly copied: () => void;
}

/** A call that changes nothing; empty for what is no key of the API. */
function tryWords(scope: KeyScope, key: string, baseUrl: string): string {
  if (scope !== 'read-only' && scope !== 'read-write') return '';
  return `curl -fsS -H 'X-Api-Key: ${key}' ${baseUrl}/api/v3/checks/`;
}

function keyKind(scope: KeyScope): string {
  return scope === 'wall' ? 'wall link' : `${scopeWords[scope].toLowerCase()} key`;
}

function NewKey({ of: { name, scope, text }, baseUrl, dismiss, copied }: NewKeyProps) {
  const command = tryWords(scope, text, baseUrl);
  const kind = keyKind(scope);
  const words = name === '' ? `new ${kind}` : `${kind} ${name}`;
  const box = useRef<HTMLDivElement>(null);
  // What is done next is to copy it.
  useLayoutEffect(() => box.current?.querySelector<HTMLElement>('.copyable button')?.focus(), [text]);
  return (
    <div class="shown-once" role="status" ref={box}>
      <p>
        {capital(words)} was created. {scope !== 'ping' && "Save it, it won't be shown again:"}
      </p>
      <Copyable {...{ text, copied }} />
      {command !== '' && (
        <>
          <p>To try it, with the list of checks as the answer:</p>
          {/* The key is in it. */}
          <Copyable text={command} copied={copied} label="Copy the command" />
        </>
      )}
      <div class="actions">
        <button type="button" onClick={dismiss}>
          Hide<span class="hidden"> the {words}</span>
        </button>
      </div>
    </div>
  );
}

/** What each kind is for, below the buttons that create one: its links are no stop on the way to them. */
function Purposes({ project, baseUrl }: Pick<KeysProps, 'project' | 'baseUrl'>) {
  return (
    <ul class="plain faint purposes">
      <li>
        <strong>Read-only or read-write key:</strong> for programs that use the{' '}
        <a href={fromRoot('/docs/api')}>management API</a>, in the header <code>X-Api-Key</code>.
      </li>
      <li>
        <strong>Ping key:</strong> for jobs, which ping{' '}
        <code>
          {baseUrl}/ping/<i>key</i>/<i>slug</i>
        </code>
        . When it is used is not recorded.
      </li>
      <li>
        <strong>Wall link:</strong> shows <a href={wallAddress(project)}>the wall view</a> of this project to
        anyone who has it, and nothing else.
      </li>
    </ul>
  );
}

interface KeyLineProps extends Omit<KeysProps, 'data' | 'baseUrl'> {
  readonly revoked: () => void;
  readonly of: ProjectSettings['keys'][number];
}

function KeyLine({ of: key, project, isOwner, offsetMs, reload, revoked }: KeyLineProps) {
  const [isRenamed, rename] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  useFocusAfterForm(opener, isRenamed);
  const path = `/web/in/${project}/keys/${key.id}`;
  const scope = scopeWords[key.scope];
  if (isRenamed)
    return (
      <li class="line key">
        <KeyName
          name={key.name ?? ''}
          save={(name) => send('POST', path, { name }).then(reload)}
          close={() => rename(false)}
        />
      </li>
    );
  return (
    <li class="line key">
      <span class="words">
        <strong>{key.name ?? scope}</strong>{' '}
        <span class="faint">
          {key.name === undefined ? 'Created' : `${scope}, created`} {minuteTime(key.createdAtMs)}
        </span>{' '}
        <KeyText of={key} offsetMs={offsetMs} />
      </span>
      {isOwner && (
        <>
          <button type="button" class="quiet" ref={opener} onClick={() => rename(true)}>
            Rename<span class="hidden"> {keyWords(key)}</span>
          </button>
          <Sure
            label="Revoke"
            isDanger
            of={keyWords(key)}
            ask={`Anything using this key (${keyWords(key)}) will stop working.`}
            yes="Revoke"
            run={() =>
              send('DELETE', path).then(() => {
                say(`${key.name ?? `The ${keyKind(key.scope)}`} was revoked.`);
                revoked();
                reload();
              })
            }
          />
        </>
      )}
    </li>
  );
}

/** How it begins, or a ping key whole, to be copied; and when it was used last. */
function KeyText({ of: { clear, beginning, lastUsed }, offsetMs }: Pick<KeyLineProps, 'of' | 'offsetMs'>) {
  const text = clear ?? beginning;
  const used = lastUsed === undefined ? '' : usedWords(lastUsed, Date.now() + offsetMs);
  if (text === undefined && used === '') return null;
  return (
    <span class="key-text">
      {text !== undefined && <code>{text}</code>} {clear !== null && <CopyButton text={clear} />}
      {used !== '' && <span class="faint">{used}</span>}
    </span>
  );
}

/** The server calls each of the page's fields for a name by the same word. */
function atField(name: string, failed: FormErrors['failed']): FormErrors['failed'] {
  return (error, field) => failed(error, field === 'name' ? name : field);
}

interface KeyNameProps {
  readonly name: string;
  readonly save: (name: string) => Promise<void>;
  readonly close: () => void;
}

/** A key without a name is called by what it may do. */
function KeyName({ name, save, close }: KeyNameProps) {
  const [typed, type] = useState(name);
  const isSame = typed.trim() === name;
  useUnsaved(() => !isSame);
  const { form, invalid, failed, typed: changed, otherThan } = useFormErrors();
  useFirstField(form);
  return (
    <form
      ref={form}
      class="key-name"
      noValidate
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <input
        aria-label="Name of the key"
        autocomplete="off"
        value={typed}
        onInput={({ currentTarget: { value } }) => changed(type)(value)}
        {...markedInvalid('new_key_name', invalid)}
      />
      <Act
        class="main"
        run={async () => {
          refuseTooLong(typed, nameCharsMax, 'name');
          await save(typed.trim());
          close();
        }}
        failed={atField('new_key_name', failed)}
        offBecause={isSame ? unchangedWords : ''}
        isDefault
      >
        Save
      </Act>
      <button type="button" onClick={close}>
        Cancel
      </button>
      <FieldErrorText name="new_key_name" invalid={invalid} />
      <Problem text={otherThan('new_key_name')} />
    </form>
  );
}
