/** What the button beside a block of the manual copies: of a session in a terminal the commands, without what they print. Pure. */

const prompt = '$ ';

/** How a line ends that the next one belongs to. */
const goesOn = /(\\|\||\{|&&)\s*$/;

/** The whole text where no line has a prompt. */
export function copiedOf(text: string): string {
  const lines = text.replace(/\n$/, '').split('\n');
  if (!lines.some((line) => line.startsWith(prompt))) return lines.join('\n');
  const commands: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    const isCommand = line.startsWith(prompt);
    if (isCommand || isOpen) commands.push(isCommand ? line.slice(prompt.length) : line);
    isOpen = (isCommand || isOpen) && goesOn.test(line);
  }
  return commands.join('\n');
}
