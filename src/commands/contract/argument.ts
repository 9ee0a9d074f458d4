/**
 * The arguments of a command: each once, with its kind, its place on the command line and its words of help. From that come how
 * input is read and checked, the options of `knell` with their completion, the manual, and what the log says of a call.
 * Not here: the kinds that there are (`argument-kinds`).
 * Invariant: input that is wrong in itself is refused before anything that it names is looked up.
 */
import type { CommandRequest, Targets } from './command.ts';

/** Typed input: a word, several of them, or an option without a value. */
export type Typed = string | true | readonly string[];

/** `Json`: as programs give it. `Value`: as the command gets it. */
export interface Kind<Json, Value> {
  /** Throws a KnellError `usage`, and `not-found` for what names nothing. */
  readonly read: (request: CommandRequest, name: string) => Value;
  /** `place`: the option behind which it was typed, or the argument. Throws a KnellError `usage`. */
  readonly typed: (words: Typed, place: string) => Json;
  /** Its form in words, with its bounds. */
  readonly is: string;
  /** All words that it may be on the command line. */
  readonly choices?: readonly string[];
  /** The kind of thing that it names. */
  readonly names?: keyof Targets | 'check';
  /** Its form in the log of changes. Absent for values, which hold secrets, and for a check, whose UUID is its ping address. */
  readonly logged?: (value: unknown) => string | null;
}

export interface Argument<Json = unknown, Value = unknown> extends Kind<Json, Value> {
  readonly isRequired: boolean;
  /** Its value if it is left out, as it is typed. */
  readonly fallback?: string;
  /** `<project>`, `[user]`, `--plan <plan>`; null: not on the command line. `[project]` of a required one: where there is one, it is meant. */
  readonly line: string | null;
  readonly help: string;
}

export type Arguments = Readonly<Record<string, Argument>>;

type JsonOf<A> = A extends Argument<infer Json, unknown> ? Json : never;
type ValueOf<A> = A extends Argument<unknown, infer Value> ? Value : never;
type OptionalIn<A extends Arguments> = {
  [Name in keyof A]: undefined extends JsonOf<A[Name]> ? Name : never;
}[keyof A];

/** The arguments as programs give them. */
export type ArgsOf<A extends Arguments> = {
  readonly [Name in Exclude<keyof A, OptionalIn<A>>]: JsonOf<A[Name]>;
} & { readonly [Name in OptionalIn<A>]?: JsonOf<A[Name]> };

/** The arguments as the command gets them. */
export type InputOf<A extends Arguments> = { readonly [Name in keyof A]: ValueOf<A[Name]> };

/** An argument that names something needs no other words than its kind. */
function wordsFor({ names, is }: Pick<Argument, 'names' | 'is'>): string {
  return names === undefined ? '' : is;
}

export function required<Json, Value>(
  kind: Kind<Json, Value>,
  line: string | null,
  help = wordsFor(kind),
): Argument<Json, Value> {
  return { ...kind, isRequired: true, line, help };
}

export function optional<Json, Value>(
  kind: Kind<Json, Value>,
  line: string | null,
  help = wordsFor(kind),
): Argument<Json | undefined, Value | undefined> {
  return {
    ...kind,
    isRequired: false,
    line,
    help,
    read: (request, name) => (request.args[name] === undefined ? undefined : kind.read(request, name)),
  };
}

/** `fallback`: as JSON has it, which is as it is typed. */
export function withDefault<Json, Value>(
  kind: Kind<Json, Value>,
  fallback: Json & string,
  line: string | null,
  help = wordsFor(kind),
): Argument<Json | undefined, Value> {
  return {
    ...kind,
    isRequired: false,
    fallback,
    line,
    help,
    read({ args, ...request }, name) {
      const { [name]: given = fallback } = args;
      return kind.read({ ...request, args: { ...args, [name]: given } }, name);
    },
  };
}

/** Reads the arguments of a request: those that name something come last. */
export function inputOf<A extends Arguments>(declared: A, request: CommandRequest): InputOf<A> {
  const namesLast = Object.entries(declared).sort(([, a], [, b]) => place(a) - place(b));
  // From here on it has the types of the declaration.
  return Object.fromEntries(namesLast.map(([name, { read }]) => [name, read(request, name)])) as InputOf<A>;
}

function place({ names }: Argument): number {
  return names === undefined ? 0 : 1;
}

/** Reads the arguments of a command line; `typedAt`: undefined for those that were left out. */
export function argsTyped<A extends Arguments>(
  declared: A,
  typedAt: (line: string) => Typed | undefined,
): ArgsOf<A> {
  const given = Object.entries(declared).flatMap(([name, { typed, line }]) => {
    const words = line === null ? undefined : typedAt(line);
    return words === undefined ? [] : [[name, typed(words, optionOf(line) ?? name)] as const];
  });
  return Object.fromEntries(given) as ArgsOf<A>;
}

/** `--plan` of `--plan <plan>`; null for what is no option. */
export function optionOf(line: string | null): string | null {
  return /^--[\w-]+/.exec(line ?? '')?.[0] ?? null;
}
