/**
 * The page of the server: its snapshots, the nodes of its cluster, and every setting. It says what each setting is and where it
 * comes from, and has a field for it where it may change while Knell runs.
 */
import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { MailServerView, ServerSettingsView, ServerSettingView } from '../../domain/views/page-view.ts';
import { capital } from '../../domain/words/capital.ts';
import { ShownTick } from '../account/password-field.tsx';
import { fromRoot } from '../core/base-path.ts';
import { messageOf, send, useAsk } from '../core/calls.ts';
import type { PageProps } from '../core/page-props.ts';
import { useTab } from '../core/tab.ts';
import { useUnsaved } from '../core/typed.ts';
import { useEvery } from '../core/use-every.ts';
import { useFocusAfterForm } from '../core/use-focus.ts';
import { useWide } from '../core/use-wide.ts';
import { settingGroups } from '../integrations/setting-words.ts';
import { Problem, Sure } from '../ui/bits.tsx';
import { Icon } from '../ui/icons.tsx';
import { say } from '../ui/toasts.tsx';
import { SaveButton } from '../ui/unchanged.tsx';
import { ClusterNodes } from './cluster-nodes.tsx';
import { AddKind, KindToCome, type Lacking, LackingWords, lackingFor } from './lacking.tsx';
import { MailServerField, MailServerWords } from './mail-server-field.tsx';
import { removalQuestion, removedWords } from './removal-words.ts';
import { SettingsHead } from './settings-head.tsx';
import { Snapshots } from './snapshots.tsx';
import { TestMail } from './test-mail.tsx';
import '../style/panels.css';

const mailVariable = 'KNELL_MAIL_URL';
const zoneVariable = 'KNELL_TIME_ZONE';

const sources = { environment: 'Environment', page: 'Set here', default: 'Default' } as const;

const fixedWords = 'Only set in the environment, before Knell starts.';
const fixedMark = 'Environment only';
/** Milliseconds between two requests for what the nodes of a cluster say of themselves. */
const everyMs = 5000;

export function ServerSettings({ live, state, project, role, reloadState }: PageProps) {
  const { data, error, reload } = useAsk<ServerSettingsView>('/web/server-settings');
  useEvery(data?.cluster ? everyMs : null, reload);
  useTab(live.summary, 'Server settings');
  // What integrations lack is part of the state.
  const changed = (): void => {
    reload();
    reloadState();
  };
  return (
    <>
      <SettingsHead at="server" {...{ state, project, role }} />
      <Problem text={error} />
      {data && (
        <>
          <p>
            The <a href={fromRoot('/audit')}>audit log</a> says who changed what, here and in all projects.
          </p>
          <Snapshots {...data.snapshots} offsetMs={live.offsetMs} />
          {data.cluster && <ClusterNodes {...data.cluster} offsetMs={live.offsetMs} />}
          <AllSettings view={data} {...{ state, project }} reload={changed} />
        </>
      )}
    </>
  );
}

interface AllSettingsProps extends Pick<PageProps, 'state' | 'project'> {
  readonly view: ServerSettingsView;
  readonly reload: () => void;
}

function AllSettings({ view, state, project, reload }: AllSettingsProps) {
  const [text, setText] = useState('');
  const [isCut, setCut] = useState(false);
  const [opened, setOpened] = useState('');
  const lackingOf = ({ variable }: ServerSettingView) => lackingFor(variable, state, project);
  const missing = view.settings.filter(lackingOf);
  const set = view.settings.filter((one) => one.source !== 'default' || missing.includes(one));
  const groups = settingGroups(isCut ? set : view.settings, text);
  const show = (variable: string): void => {
    setText('');
    setOpened(variable);
  };
  // On a phone the explanations would be most of the page. What is searched for may be in one of them.
  const isBrief = !useWide() && text.trim() === '';
  return (
    <div class="setting-parts">
      <h2>Server settings</h2>
      <p>
        A value from the environment wins over one that is set here. What is set here is kept with the data,
        in snapshots too; secrets are never shown again. What only the environment sets is read when Knell
        starts.
      </p>
      <Missing settings={missing} show={show} />
      <label>
        Search settings
        <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      {set.length > 0 && (
        <label class="tick">
          <input type="checkbox" checked={isCut} onChange={() => setCut(!isCut)} />
          Only those that are set{missing.length > 0 && ' or missing'} ({set.length} of {view.settings.length}
          )
        </label>
      )}
      {groups.length > 1 && <Outline titles={groups.map(({ title }) => title)} />}
      {groups.map(({ title, settings }) => (
        <section key={title}>
          <h3 id={partId(title)} tabIndex={-1}>
            {title}
          </h3>
          {settings.every(({ setting }) => setting.isFixed) && <p class="faint">{fixedWords}</p>}
          <ul class="settings">
            {settings.map(({ setting, name }) => (
              <Line
                key={name}
                {...{ setting, name, isBrief, reload }}
                isMarked={setting.isFixed && settings.some((one) => !one.setting.isFixed)}
                lacking={lackingOf(setting)}
                next={<AddKind missing={state.missing} project={project} />}
                coming={<KindToCome missing={state.missing} project={project} variable={setting.variable} />}
                mail={setting.variable === mailVariable ? view.mail : null}
                note={setting.variable === zoneVariable ? zoneWords(view.zones) : ''}
                opened={opened === setting.variable}
                shown={() => setOpened('')}
              />
            ))}
            {view.sendsMail && settings.some(({ setting }) => setting.variable === mailVariable) && (
              <li class="test-mail">
                <TestMail />
              </li>
            )}
          </ul>
        </section>
      ))}
      {groups.length === 0 && <p role="status">No setting matches.</p>}
    </div>
  );
}

interface MissingProps {
  /** Those that an integration cannot send without. */
  readonly settings: readonly ServerSettingView[];
  /** Shows the row of one, and opens it. */
  readonly show: (variable: string) => void;
}

/** Above all settings, of which each may be screens below. */
function Missing({ settings, show }: MissingProps) {
  if (settings.length === 0) return null;
  const named = settingGroups(settings, '').flatMap((group) => group.settings);
  return (
    <p class="missing">
      {named.length === 1 ? '1 setting is missing' : `${named.length} settings are missing`}:{' '}
      {named.map(({ setting: { variable }, name }, at) => (
        <Fragment key={variable}>
          {at > 0 && ', '}
          <a
            href={`#${variable}`}
            onClick={(event) => {
              event.preventDefault();
              history.replaceState(history.state, '', `#${variable}`);
              show(variable);
            }}
          >
            {name}
          </a>
        </Fragment>
      ))}
    </p>
  );
}

/** Characters of what is typed that fit into a line of the narrowest window. */
const unbrokenCharsMax = 32;

/** What is typed as it is there, a variable or what is between backticks, in the face of code. */
function typedWords(text: string): ComponentChildren {
  return text.split(/`([^`]+)`|(KNELL_[A-Z_]+)/).map((part, at) =>
    at % 3 === 0 || part === undefined ? (
      part
    ) : (
      <code key={at} class={part.length > unbrokenCharsMax ? 'long' : ''}>
        {part}
      </code>
    ),
  );
}

function partId(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

/** Links to the parts of the page, which is several screens long. */
function Outline({ titles }: { readonly titles: readonly string[] }) {
  // What the address names is there only now: a part, or a setting that another page says is missing, or the notice above this one.
  useEffect(() => {
    const show = (): void => {
      const named = document.getElementById(location.hash.slice(1));
      named?.scrollIntoView({ block: named.tagName === 'LI' ? 'center' : 'start' });
      const field = named?.querySelector<HTMLElement>('form input') ?? named?.querySelector('button');
      field?.focus({ preventScroll: true });
    };
    show();
    addEventListener('popstate', show);
    return () => removeEventListener('popstate', show);
  }, []);
  const follow = (event: MouseEvent, id: string): void => {
    event.preventDefault();
    history.replaceState(history.state, '', `#${id}`);
    const head = document.getElementById(id);
    head?.scrollIntoView();
    head?.focus({ preventScroll: true });
  };
  return (
    <nav class="outline" aria-label="Parts of this page">
      {titles.map((title) => (
        <a key={title} href={`#${partId(title)}`} onClick={(event) => follow(event, partId(title))}>
          {title}
        </a>
      ))}
    </nav>
  );
}

interface LineProps {
  readonly setting: ServerSettingView;
  /** Name that people have for it. */
  readonly name: string;
  /** Whether its explanation is shown only on request. */
  readonly isBrief: boolean;
  /** Whether it says that only the environment sets it, which its part does not. */
  readonly isMarked: boolean;
  /** What cannot send without it. */
  readonly lacking: Lacking | null;
  /** The way on once it is saved. */
  readonly next: ComponentChildren;
  /** What follows once it is saved, said until then. */
  readonly coming: ComponentChildren;
  /** The mail server that is set, where this is its setting. */
  readonly mail: MailServerView | null;
  /** What else decides, besides its value; empty for nothing. */
  readonly note: string;
  /** Whether a link above has just asked for it; `shown` once it is open. */
  readonly opened: boolean;
  readonly shown: () => void;
  readonly reload: () => void;
}

function Line(props: LineProps) {
  const { setting, name, isBrief, isMarked, lacking, next, coming, mail, note, opened, shown, reload } =
    props;
  const { variable, help, source, mayChange, isOverridden, fallback, isSecret } = setting;
  const isWanted = location.hash === `#${variable}`;
  // What an integration lacks is what somebody came to enter.
  const [isEdited, edit] = useState(isWanted && mayChange && isUnset(setting));
  const [isExplained, explain] = useState(isWanted);
  const [isSaved, setSaved] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  useFocusAfterForm(opener, isEdited);
  const open = (): void => {
    edit(true);
    explain(true);
  };
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!opened) return;
    explain(true);
    if (mayChange) edit(true);
    row.current?.scrollIntoView({ block: 'center' });
    shown();
  }, [opened]);
  const unset = async (): Promise<void> => {
    await set(variable, null);
    setSaved(false);
    say(removedWords(setting, name), null, [variable]);
    reload();
  };
  const close = (): void => edit(false);
  const noteSaved = (): void => {
    setSaved(true);
    reload();
  };
  const saveMail = async (address: string, keepsPassword: boolean): Promise<void> => {
    await saved(setting, name, address, keepsPassword);
    close();
    noteSaved();
  };
  const field = <Field setting={setting} name={name} reload={noteSaved} close={close} />;
  // Where nothing holds, the words of its value say both.
  const isSourceSaid = source !== 'default' || fallback !== '';
  const from = <span class={`source ${source}`}>{sources[source]}</span>;
  return (
    <li id={variable} ref={row} class={isWanted ? 'wanted' : ''}>
      <div>
        {isBrief ? (
          <button
            type="button"
            class="explain"
            aria-expanded={isExplained}
            onClick={() => explain(!isExplained)}
          >
            {name}
            <Icon name={isExplained ? 'up' : 'down'} size={14} />
          </button>
        ) : (
          <strong>{name}</strong>
        )}
        {!isBrief && isSourceSaid && from}
      </div>
      {(!isBrief || isExplained) && <p>{typedWords(capital(help))}.</p>}
      {isOverridden && <p class="faint">Another value is set here; the environment wins.</p>}
      {note !== '' && <p class="faint">{note}</p>}
      {coming}
      {name !== variable && <code class="own">{variable}</code>}
      <div class="value">
        <span class="words">
          {isBrief && isSourceSaid && from}
          {mail ? <MailServerWords server={mail} /> : <Value setting={setting} />}
          <LackingWords lacking={lacking} />
          {isSaved && !isEdited && next}
        </span>
        {!isEdited && (mayChange || source === 'page' || isMarked) && (
          <span class="acts">
            {isMarked && <span class="faint">{fixedMark}</span>}
            {mayChange && (
              <button type="button" class="quiet" ref={opener} onClick={open}>
                {isSecret && source === 'page' && !mail ? 'Replace' : 'Change'}
                <span class="hidden"> {name}</span>
              </button>
            )}
            {source === 'page' && (
              <Sure
                label={isSecret || fallback === '' ? 'Remove' : 'Use the default'}
                of={name}
                {...removalQuestion(setting, name)}
                run={unset}
                // The button that had the focus goes.
                after={() => opener.current?.focus()}
              />
            )}
          </span>
        )}
      </div>
      {/* Below its value: what holds is seen while another value is typed. */}
      {isEdited && variable === mailVariable && (
        <MailServerField server={mail} save={saveMail} close={close} effect="What you save applies at once.">
          {field}
        </MailServerField>
      )}
      {isEdited && variable !== mailVariable && field}
    </li>
  );
}

/** An integration that is added on the page has the zone of the browser: of those, another zone of the server changes nothing. */
function zoneWords({ integrations, own }: ServerSettingsView['zones']): string {
  if (own === 0) return '';
  const of = integrations === 1 ? '1 integration' : `${integrations.toLocaleString()} integrations`;
  return `${own.toLocaleString()} of ${of} ${own === 1 ? 'has a time zone of its own: its alerts' : 'have a time zone of their own: their alerts'} do not go by this one.`;
}

function isUnset({ isSecret, source, value, fallback }: ServerSettingView): boolean {
  return (value || fallback) === '' && !(isSecret && source !== 'default');
}

function Value({ setting }: { readonly setting: ServerSettingView }) {
  const { isSecret, source, value, fallback } = setting;
  if (isUnset(setting)) return <span class="faint">Not set</span>;
  if (isSecret && source !== 'default') return <span class="faint">Set, not shown</span>;
  return (
    <span>
      <code>{value || fallback}</code>
      {source !== 'default' && fallback !== '' && <span class="faint"> (default: {fallback})</span>}
    </span>
  );
}

/** Says when a change works, and what an empty field means: that of a secret which is set is left as it is. */
function effectWords({ isSecret, source, fallback }: ServerSettingView): string {
  const saved = 'What you save applies at once.';
  if (isSecret && source === 'page') return saved;
  return `${saved} Save it empty to ${fallback === '' ? 'unset it' : `use the default, ${fallback}`}.`;
}

/** Returns the example in the help of a setting, as `Such as 10.0.0.0/8`: without those words it looks like a value. */
function exampleIn(help: string): string {
  const [, example = ''] = / such as `([^`]+)`/.exec(help) ?? [];
  return example && `Such as ${example}`;
}

function Field({
  setting,
  name,
  reload,
  close,
}: Pick<LineProps, 'setting' | 'name' | 'reload'> & { readonly close: () => void }) {
  const { variable, help, isSecret, fallback, value } = setting;
  const before = isSecret ? '' : (value ?? '');
  const [typed, type] = useState(before);
  const isSame = typed.trim() === before;
  useUnsaved(() => !isSame);
  const [error, setError] = useState('');
  const [isShown, show] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const save = async (): Promise<void> => {
    try {
      await saved(setting, name, typed.trim());
    } catch (reason) {
      setError(messageOf(reason));
      return;
    }
    close();
    reload();
  };
  const problem = `problem-${variable}`;
  // The field gets the focus before another key comes: somebody has just asked for it.
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <form
      class="value"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSame) void save();
      }}
      onKeyDown={({ key }) => key === 'Escape' && close()}
      noValidate
    >
      {variable === mailVariable && <label for={`field-${variable}`}>{name} as one address</label>}
      <input
        ref={field}
        id={`field-${variable}`}
        {...(isSecret && !isShown ? { type: 'password' as const } : { type: 'text' as const })}
        autocomplete="off"
        aria-label={variable === mailVariable ? undefined : name}
        aria-invalid={error !== ''}
        aria-describedby={error === '' ? undefined : problem}
        value={typed}
        placeholder={fallback || exampleIn(help)}
        onInput={(event) => {
          type(event.currentTarget.value);
          setError('');
        }}
      />
      <SaveButton isSame={isSame}>Save</SaveButton>
      <button type="button" onClick={close}>
        Cancel
      </button>
      {isSecret && <ShownTick isShown={isShown} show={show} />}
      <p class="faint hint">{effectWords(setting)}</p>
      {error !== '' && (
        <p class="problem" role="alert" id={problem}>
          {error}
        </p>
      )}
    </form>
  );
}

/** Saves a value, empty for none. */
async function saved(
  setting: ServerSettingView,
  name: string,
  value: string,
  keepsPassword = false,
): Promise<void> {
  const { variable } = setting;
  await set(variable, value === '' ? null : value, keepsPassword).catch((reason: unknown) => {
    // The message need not name the variable: what it is called is beside the field.
    throw new Error(messageOf(reason).replace(`${variable}: `, ''));
  });
  // What is said of the setting takes the place of what was said of it before, which holds no more.
  say(value === '' ? removedWords(setting, name) : `${name} is set.`, null, [variable]);
}

function set(variable: string, value: string | null, keepsPassword = false): Promise<unknown> {
  return send('POST', '/web/server-settings', {
    variable,
    value,
    ...(keepsPassword ? { keepsPassword } : {}),
  });
}
