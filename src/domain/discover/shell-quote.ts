/**
 * Commands as words of another command line.
 * Invariant: a shell reads back what was quoted, byte for byte.
 */

/** One word for a shell. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Words that a shell runs by itself, or that begin more than a command. */
const ofShell =
  /^(?:if|for|while|until|case|time|function|[{!.:]|\[|\[\[|test|cd|exit|exec|eval|set|unset|export|source|umask|ulimit|trap|command|type|wait|read|true|false|[A-Za-z_]\w*\+?=.*)$/;

/** Whether a command is one program with its arguments, which may be redirected: another program can run it as it is. */
export function isPlainCommand(command: string): boolean {
  const [first = ''] = command.split(/[ \t]/);
  if (ofShell.test(first) || !/^[\w./~-]/.test(first)) return false;
  for (let at = 0; at < command.length; at++) {
    const character = command.charAt(at);
    if (character === '\\') at++;
    else if (character === "'" || character === '"') {
      const end = closingQuote(command, at);
      if (end < 0) return false;
      at = end;
    } else if (character === '&' && !/[<>]/.test(command.charAt(at - 1)) && command.charAt(at + 1) !== '>')
      return false;
    else if (/[;|()`\n#$]/.test(character)) return false;
  }
  return true;
}

/** Where what begins with a quote there ends; -1 where it does not, or where something in it is expanded by a command. */
function closingQuote(command: string, from: number): number {
  const quote = command.charAt(from);
  for (let at = from + 1; at < command.length; at++) {
    const character = command.charAt(at);
    if (character === quote) return at;
    if (quote === '"' && character === '\\') at++;
    else if (quote === '"' && (character === '`' || character === '$')) return -1;
  }
  return -1;
}
