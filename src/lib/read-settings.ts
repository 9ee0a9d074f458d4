/**
 * A table of settings out of environment and flags. Not which settings there are (`config`), nor how one kind of value is
 * read (`read-setting`).
 * Invariant: a variable that is not in the table, or a value it cannot read, is one line naming it, never a guess.
 */
import { closestName } from './closest-name.ts';
import { KnellError } from './errors.ts';
import type { Setting } from './read-setting.ts';
import { fileVariable, secretIn } from './secret-file.ts';

/** `KNELL_DATA_DIR` → `--data-dir`. */
export function flagOf(variable: string): string {
  return `--${variable.slice('KNELL_'.length).toLowerCase().replaceAll('_', '-')}`;
}

/** Variables that Kubernetes injects for a service called knell: warned about, not refused. */
const injectedByKubernetes = /^KNELL_(PORT|SERVICE_)/;

type Table = Readonly<Record<string, Setting<unknown>>>;
type Values<T extends Table> = { readonly [Name in keyof T]: ReturnType<T[Name]['read']> };

export interface ReadSettings<T extends Table> {
  readonly values: Values<T>;
  /** Variables that the environment or a flag gives, with their texts; those of secrets are empty. */
  readonly given: ReadonlyMap<string, string>;
  /** Lines for the log. */
  readonly warnings: readonly string[];
}

/** `flags` by variable name; they win over `env`; `others` are known and mean nothing here: true warns. Throws a KnellError `usage` naming what is wrong. */
export function readSettings<T extends Table>(
  settings: T,
  env: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Record<string, string>>,
  others: ReadonlyMap<string, boolean> = new Map(),
): ReadSettings<T> {
  const known = new Set<string>(Object.values(settings).flatMap(variablesOf));
  const warnings: string[] = [];
  for (const name of Object.keys(env)) {
    if (!name.startsWith('KNELL_') || known.has(name)) continue;
    if (others.has(name)) {
      if (others.get(name))
        warnings.push(`${name} is ignored: it is a variable of commands, not of the server`);
      continue;
    }
    if (!injectedByKubernetes.test(name)) throw new KnellError('usage', unknownVariable(name, known));
    warnings.push(`${name} is ignored: Kubernetes sets such variables for a service named knell`);
  }
  const values = Object.entries(settings).map(([name, one]) => [name, readOne(one, env, flags)]);
  // Each value was read by the setting of its name.
  return { values: Object.fromEntries(values) as Values<T>, given: givenBy(settings, env, flags), warnings };
}

function givenBy(
  settings: Table,
  env: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  for (const setting of Object.values(settings)) {
    const { variable, secret } = setting;
    const isGiven = variable in flags || variablesOf(setting).some((name) => env[name] !== undefined);
    if (isGiven) given.set(variable, secret ? '' : (flags[variable] ?? env[variable] ?? ''));
  }
  return given;
}

/** A secret may come in a file. */
function variablesOf({ variable, secret }: Setting<unknown>): readonly string[] {
  return secret ? [variable, fileVariable(variable)] : [variable];
}

function readOne(
  { variable, fallback, read, secret: isSecret }: Setting<unknown>,
  env: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Record<string, string>>,
): unknown {
  const flag = flags[variable];
  const text = flag ?? (isSecret ? secretIn(env, variable) : env[variable]) ?? fallback;
  try {
    return read(text);
  } catch (error) {
    const name = flag === undefined ? variable : flagOf(variable);
    const shown = isSecret ? 'its value' : JSON.stringify(text);
    throw new KnellError('usage', `${name}: ${shown} ${error instanceof Error ? error.message : ''}`);
  }
}

function unknownVariable(name: string, known: ReadonlySet<string>): string {
  const closest = closestName(name, known);
  return `unknown variable ${name}${closest === null ? '; see knell serve --help' : `: did you mean ${closest}?`}`;
}
