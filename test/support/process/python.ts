/** Programs in Python, with packages that are installed or not: `node scripts/other-clients.js` installs them. */
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
// @ts-expect-error: a script without types.
import { findPythonClients } from '../../../scripts/other-clients.js';

/** The Python that has a module: that of KNELL_TEST_PYTHON, that of the script, or the one of the path. Null: none has it. */
export function pythonWith(module: string): string | null {
  const candidates: readonly string[] = [
    process.env.KNELL_TEST_PYTHON ?? '',
    findPythonClients() ?? '',
    'python3',
  ];
  return candidates.find((python) => python !== '' && has(python, module)) ?? null;
}

function has(python: string, module: string): boolean {
  try {
    execFileSync(python, ['-c', `import ${module}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** What the program prints; rejects if it fails. */
export async function runPython(
  python: string,
  program: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const { stdout } = await promisify(execFile)(python, ['-c', program], {
    env: { PATH: process.env.PATH, ...env },
  });
  return stdout;
}
