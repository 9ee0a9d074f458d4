/**
 * References to secrets in a configuration file: `${env:NAME}` and `${file:PATH}`, as a whole text or within one.
 * Invariant: the secret itself is never part of an error.
 */

export interface SecretSource {
  /** Undefined when it is not set. */
  env(name: string): string | undefined;
  /** The text of a file, by its path as written beside the configuration file `from`. Throws a sentence. */
  file(path: string, from: string): string;
}

/** `$${env:NAME}` is read as `${env:NAME}` itself. */
const reference = /(\$?)\$\{(env|file):([^}]*)\}/g;

type Resolved = { readonly text: string } | { readonly error: string };

export function resolveSecrets(text: string, from: string, source: SecretSource): Resolved {
  let error: string | null = null;
  const resolved = text.replace(reference, (whole, escaped: string, kind: string, name: string) => {
    if (escaped !== '') return whole.slice(1);
    const value = kind === 'env' ? source.env(name) : readFile(name);
    if (value === undefined) error ??= `the environment variable ${name} is not set`;
    return value ?? '';
  });
  function readFile(path: string): string | undefined {
    try {
      return source.file(path, from);
    } catch (cause) {
      error ??= cause instanceof Error ? cause.message : String(cause);
      return '';
    }
  }
  return error === null ? { text: resolved } : { error };
}

/** So that a text of the installation is not taken for a reference. */
export function escapeReferences(text: string): string {
  return text.replace(/\$\{(env|file):/g, '$$$${$1:');
}
