/** `knell check alerting`: who would be notified if a check went down now. The server decides it and says it in sentences. */
import type { Management } from '../../client/management.ts';
import type { AlertingAnswer } from '../../domain/views/api-answers.ts';
import type { Flags } from '../io/flags.ts';
import { printColumns, printedForPrograms } from '../io/output.ts';
import { exitDone, print } from '../io/terminal.ts';
import { findCheck } from './check-actions.ts';

export async function showAlerting(management: Management, word: string, flags: Flags): Promise<number> {
  const { project, check } = await findCheck(management, word, flags);
  const answer = (await management.call(project, 'GET', `checks/${check.uuid}/alerting`)) as AlertingAnswer;
  if (printedForPrograms(flags, answer)) return exitDone;
  print(answer.text);
  if (answer.recipients.length === 0) return exitDone;
  printColumns(
    [
      { title: 'INTEGRATION', cell: ({ name, kind }) => name || kind },
      { title: 'KIND', cell: ({ kind }) => kind },
      { title: 'ALERT', cell: ({ text }) => text },
    ],
    answer.recipients,
  );
  return exitDone;
}
