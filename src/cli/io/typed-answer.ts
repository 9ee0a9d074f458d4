/** Asks a question at the terminal, before something that cannot be undone. */
import { createInterface } from 'node:readline';

/** Resolves to the typed line without blanks around it; empty after an interrupt or at the end of the input. */
export function typedAnswer(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    terminal.once('close', () => {
      process.stderr.write('\n');
      resolve('');
    });
    terminal.question(question, (typed) => {
      terminal.removeAllListeners('close');
      terminal.close();
      resolve(typed.trim());
    });
  });
}
