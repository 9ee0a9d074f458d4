/** Programs in Python, with packages that are installed or not: `pip install cronitor opsgenie-sdk sentry-sdk`. */
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

/** The Python that has a module: that of KNELL_TEST_PYTHON, or the one of the path. Null: neither has it. */
export function pythonWith(module: string): string | null {
  const candidates = [process.env.KNELL_TEST_PYTHON ?? '', 'python3'].filter((path) => path !== '');
  return candidates.find((python) => has(python, module)) ?? null;
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
