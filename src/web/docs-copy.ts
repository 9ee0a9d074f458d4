/**
 * What the button beside a block of the manual copies: of a session in a terminal the commands, without what they print. A line
 * belongs to the command before it as long as that is open: in a quote, a substitution or braces, or joined to what follows. Pure.
 */

import { shellState } from '../domain/crontab/shell-state.ts';

const prompt = '$ ';

/** The whole text where no line has a prompt. */
export function copiedOf(text: string): string {
  const lines = text.replace(/\n$/, '').split('\n');
  if (!lines.some((line) => line.startsWith(prompt))) return lines.join('\n');
  const commands: string[] = [];
  let open: string | null = null;
  for (const line of lines) {
    if (open === null && !line.startsWith(prompt)) continue;
    const command: string = open === null ? line.slice(prompt.length) : `${open}\n${line}`;
    open = isOpen(command) ? command : null;
    if (open === null) commands.push(command);
  }
  return [...commands, ...(open === null ? [] : [open])].join('\n');
}

function isOpen(command: string): boolean {
  return shellState(command).isOpen || /(?:\||&&)\s*$/.test(command);
}
