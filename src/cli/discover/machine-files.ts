/**
 * The files of a machine below its root: a running one, an image, or a copy for a test.
 * Invariant: names are those of the machine (`/etc/crontab`), and links stay below the root.
 */
import {
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { KnellError, systemCode } from '../../lib/errors.ts';
import { folderNamesMax, jobFileBytesMax, linksFollowedMax, programBytesMax } from '../io/limits.ts';

export type FileRead =
  | { readonly kind: 'text'; readonly text: string }
  /** A unit that links to `/dev/null`. */
  | { readonly kind: 'masked' }
  /** `reason`: a sentence without its full stop; empty for a file that is not there. */
  | { readonly kind: 'none'; readonly reason: string };

export class MachineFiles {
  readonly root: string;
  readonly #realRoot: string;

  /** Throws a KnellError `usage` for a root that is no folder. */
  constructor(root: string) {
    this.root = resolve(root);
    try {
      this.#realRoot = realpathSync(this.root);
    } catch (cause) {
      throw new KnellError('usage', `cannot read --root ${root} (${systemCode(cause)})`, { cause });
    }
  }

  /** Where a file of the machine would be here, whatever is there. */
  pathOf(file: string): string {
    return join(this.root, file);
  }

  /** Where a file is here, behind all links. Throws what the system says, and for one that is not below the root. */
  realPathOf(file: string): string {
    const path = realpathSync(this.pathOf(this.#target(file) ?? file));
    if (this.root === '/' || path === this.#realRoot || path.startsWith(`${this.#realRoot}/`)) return path;
    throw new KnellError('conflict', `${file} is a link that points out of ${this.root}`);
  }

  exists(file: string): boolean {
    return this.#statOf(file) !== null;
  }

  isExecutable(file: string): boolean {
    const stats = this.#statOf(file);
    return stats?.isFile() === true && (stats.mode & 0o111) !== 0;
  }

  #statOf(file: string): Stats | null {
    try {
      return statSync(this.realPathOf(file));
    } catch {
      return null;
    }
  }

  /** Whether a program has these letters somewhere; null where it is not there, or cannot be read. */
  programHas(file: string, letters: string): boolean | null {
    try {
      const path = this.realPathOf(file);
      return statSync(path).size > programBytesMax ? null : readFileSync(path).includes(letters);
    } catch {
      return null;
    }
  }

  /** Names in a folder, sorted; empty where there is none. */
  names(folder: string): readonly string[] {
    try {
      return readdirSync(this.realPathOf(folder)).sort().slice(0, folderNamesMax);
    } catch {
      return [];
    }
  }

  /** Why a folder that is there cannot be listed: a sentence without its full stop; null where it can, or is not there. */
  whyUnlisted(folder: string): string | null {
    try {
      readdirSync(this.realPathOf(folder));
      return null;
    } catch (error) {
      const code = systemCode(error);
      const isThere = !(error instanceof KnellError) && !/^E(?:NOENT|NOTDIR)$/.test(code);
      return isThere ? `It cannot be read (${code}): try as root` : null;
    }
  }

  read(file: string): FileRead {
    const target = this.#target(file);
    if (target === '/dev/null') return { kind: 'masked' };
    try {
      const path = this.realPathOf(file);
      const stats = statSync(path);
      if (!stats.isFile()) return { kind: 'none', reason: '' };
      if (stats.size > jobFileBytesMax) return { kind: 'none', reason: 'It is larger than 1 MB' };
      const text = textIn(readFileSync(path));
      return text === null ? { kind: 'none', reason: 'It is no text' } : { kind: 'text', text };
    } catch (error) {
      if (error instanceof KnellError)
        return { kind: 'none', reason: 'It is a link that points out of the root' };
      const code = systemCode(error);
      return { kind: 'none', reason: code === 'ENOENT' ? '' : `It cannot be read (${code}): try as root` };
    }
  }

  /** What a file links to, as the machine names it; null for one that is no link. */
  #target(file: string): string | null {
    let found: string | null = null;
    for (let links = 0; links < linksFollowedMax; links++) {
      const at = found ?? file;
      try {
        if (!lstatSync(this.pathOf(at)).isSymbolicLink()) return found;
        found = resolve(dirname(at), readlinkSync(this.pathOf(at)));
      } catch {
        return found;
      }
    }
    return found;
  }
}

function textIn(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
