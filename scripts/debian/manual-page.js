// The manual page knell(1) of the Debian package, out of what the commands print with --help.

/** As roff. `help` and `serveHelp` are what `knell --help` and `knell serve --help` print. */
export function manualPage({ version, date, help, serveHelp }) {
  const day = date.toISOString().slice(0, 10);
  return [
    `.TH KNELL 1 "${day}" "Knell ${version}"`,
    '.SH NAME',
    'knell \\- dead man\\(aqs switch for recurring jobs',
    '.SH SYNOPSIS',
    '.B knell',
    '.RI [ command ]',
    '.RI [ options ]',
    '.SH DESCRIPTION',
    'A job pings Knell over HTTP or by mail. When a ping does not come in time, Knell sends an alert.',
    'The server is the service knell; these commands work on its data directory, which is',
    '.I /var/lib/knell',
    'unless KNELL_DATA_DIR names another one. Run those that change or show its data as its user, or as root.',
    '.SH COMMANDS',
    'Each has its own',
    '.BR \\-\\-help .',
    ...groupsOf(help).flatMap((heading) => [`.SS ${escaped(heading.slice(0, -1))}`, ...list(help, heading)]),
    '.SH SETTINGS',
    'Each is an option of',
    '.B knell serve',
    'and a variable in',
    '.IR /etc/knell/knell.env .',
    ...list(serveHelp, 'Options:'),
    '.SH FILES',
    '.TP',
    '.I /etc/knell/knell.env',
    'settings of the service, one variable a line; it may hold secrets',
    '.TP',
    '.I /var/lib/knell',
    'the data; it is kept when the package is removed, and deleted when it is purged',
    '.SH "EXIT STATUS"',
    '0: done; 1: failed; 2: called wrongly.',
    '.SH "SEE ALSO"',
    'The manual is part of the server, under /docs/ of its address.',
    '',
  ].join('\n');
}

/** The headings of the groups of commands. */
function groupsOf(help) {
  return help.split('\n').filter((line) => /^[A-Z][\w ]*:$/.test(line) && line !== 'Options:');
}

/** The terms of a list and what each is: its lines are indented by two, what they go on with by more. */
function list(help, heading) {
  const lines = help.slice(help.indexOf(heading) + heading.length + 1).split('\n');
  const end = lines.findIndex((line) => line !== '' && !line.startsWith('  '));
  const items = [];
  for (const line of end < 0 ? lines : lines.slice(0, end)) {
    const [, term, text = ''] = /^ {2}(\S.*?)(?: {2,}(.*))?$/.exec(line) ?? [];
    if (term) items.push({ term, words: [text] });
    else items.at(-1)?.words.push(line);
  }
  return items.flatMap(({ term, words }) => ['.TP', `.B ${escaped(term)}`, escaped(words.join(' '))]);
}

/** What roff would read as its own: backslashes, hyphens, quotes, and a dot that begins a line. */
function escaped(text) {
  const plain = text.replace(/\s+/g, ' ').trim();
  const marks = plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('"', '\\(dq');
  return marks.replace(/^\./, '\\&.');
}
