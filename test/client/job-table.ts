/**
 * Jobs as people run them, each a line of bash. `$W` is the wrapper, or nothing; `$T` is a wrapper that leaves
 * the command its terminal. Expected is what each does alone.
 */
export interface Job {
  readonly what: string;
  readonly script: string;
  /** 128 + n for a signal. */
  readonly status: number;
  /** Undefined: whatever it prints alone. */
  readonly stdout?: string;
  /** The program that it needs beside those of any Linux. */
  readonly needs?: string;
  /** Sent once the job has printed "ready". */
  readonly signal?: NodeJS.Signals;
}

const job = (what: string, script: string, status: number, stdout?: string): Job =>
  stdout === undefined ? { what, script, status } : { what, script, status, stdout };

const statuses: readonly Job[] = [
  ...[0, 1, 2, 126, 127, 255].map((status) =>
    job(`exits with ${status}`, `$W sh -c 'exit ${status}'`, status, ''),
  ),
  ...[
    ['TERM', 143],
    ['KILL', 137],
    ['PIPE', 141],
    ['INT', 130],
    ['HUP', 129],
    ['ABRT', 134],
  ].map(([name, status]) =>
    job(
      `ends itself by SIG${name}`,
      `ulimit -c 0; exec $W sh -c 'echo out; kill -${name} $$'`,
      Number(status),
      'out\n',
    ),
  ),
  { ...job('perl dies', `$W perl -e 'print "out\\n"; die "no\\n"'`, 255, 'out\n'), needs: 'perl' },
  { ...job('python raises', `$W python3 -c 'print(1); raise SystemExit("no")'`, 1, '1\n'), needs: 'python3' },
];

const paths: readonly Job[] = [
  job('opens /dev/stderr', `$W sh -c 'echo x > /dev/stderr'`, 0, ''),
  job('opens /dev/stdout', `$W sh -c 'echo a; echo b > /dev/stdout; echo c'`, 0, 'a\nb\nc\n'),
  job(
    'appends to /proc/self/fd/1 and 2',
    `$W sh -c 'echo a >> /proc/self/fd/1; echo b >> /proc/self/fd/2'`,
    0,
    'a\n',
  ),
  job('tee /dev/stderr', `$W bash -c 'set -o pipefail; echo x | tee /dev/stderr'`, 0, 'x\n'),
  job(
    'tee /dev/stdout within a pipe',
    `$W bash -c 'set -eo pipefail; echo x | tee /dev/stdout | cat'`,
    0,
    'x\nx\n',
  ),
  job('asks what its streams are', `$W stat -L -c %F /dev/stdout /dev/stderr`, 0, 'fifo\nfifo\n'),
  {
    ...job('python opens /dev/stderr', `$W python3 -c 'open("/dev/stderr", "w").write("x")'`, 0, ''),
    needs: 'python3',
  },
  {
    ...job(
      'perl opens /dev/stdout',
      `$W perl -e 'open(my $f, ">", "/dev/stdout") or die $!; print $f "x"'`,
      0,
      'x',
    ),
    needs: 'perl',
  },
];

export const pipes: readonly Job[] = [
  job('a pipe that breaks, with pipefail', `$W bash -c 'set -o pipefail; yes | head -n 1'`, 141, 'y\n'),
  job('a pipe that breaks, without', `$W bash -c 'yes | head -n 1'`, 0, 'y\n'),
  job('a first part that fails, with pipefail', `$W bash -c 'set -o pipefail; (exit 4) | cat'`, 4, ''),
  job('a reader that leaves', `$W yes | head -n 1; exit \${PIPESTATUS[0]}`, 141, 'y\n'),
  job(
    'a reader that was never there',
    `$W bash -c 'while :; do echo x; done' | true; exit \${PIPESTATUS[0]}`,
    141,
    '',
  ),
  job(
    'a reader of stderr that leaves',
    `$W sh -c 'yes >&2' 2>&1 >/dev/null | head -n 1; exit \${PIPESTATUS[0]}`,
    141,
    'y\n',
  ),
  job(
    'a writer that takes it as an error',
    `$W bash -c 'trap "" PIPE; while echo x; do :; done 2>/dev/null; exit 9' | true; exit \${PIPESTATUS[0]}`,
    9,
    '',
  ),
  {
    ...job(
      'python, whose reader leaves',
      `$W python3 -c 'while True: print("x")' 2>/dev/null | head -n 1; exit \${PIPESTATUS[0]}`,
      1,
      'x\n',
    ),
    needs: 'python3',
  },
  {
    ...job(
      'perl, whose reader leaves',
      `$W perl -e 'print "x\\n" while 1' | head -n 1; exit \${PIPESTATUS[0]}`,
      141,
      'x\n',
    ),
    needs: 'perl',
  },
];

const contents: readonly Job[] = [
  job('both streams', `$W sh -c 'echo out; echo err >&2; exit 3'`, 3, 'out\n'),
  job(
    'both streams in one, in order',
    `$W bash -c 'for i in {1..50}; do echo $i; echo -$i >&2; done' 2>&1`,
    0,
    Array.from({ length: 50 }, (_, index) => `${index + 1}\n-${index + 1}\n`).join(''),
  ),
  job('both streams in files', `$W sh -c 'echo out; echo err >&2' > a 2> b; cat b a`, 0, 'err\nout\n'),
  job('words with spaces, empty ones, stars', `$W printf '<%s>' 'a b' '' '*'`, 0, '<a b><><*>'),
  job('bytes that are no text', `$W printf '\\377\\000\\376' | od -An -tx1`, 0, ' ff 00 fe\n'),
  job('large output', `set -o pipefail; $W head -c 20000000 /dev/zero | cksum`, 0, '717186274 20000000\n'),
  job(
    'large output for a slow reader',
    `$W seq 200000 | { sleep 0.3; tail -n 1; }; exit \${PIPESTATUS[0]}`,
    0,
    '200000\n',
  ),
  job('no input', '$W cat < /dev/null', 0, ''),
  job('input from a pipe', `printf 'a\\nb' | $W cat`, 0, 'a\nb'),
  job('input that it does not read to its end', `seq 3 | { $W head -c 2; cat; } | head -n 1`, 0, '1\n'),
  job('input from a file', `seq 1000 > in; $W wc -l < in`, 0, '1000\n'),
];

const others: readonly Job[] = [
  job(
    'a background child that keeps the output',
    `$W sh -c '(sleep 0.3; echo late) & echo early'`,
    0,
    'early\nlate\n',
  ),
  job(
    'a background child that keeps it for longer, of a job that fails',
    `$W sh -c '(sleep 0.9; echo late) & echo early; exit 5'`,
    5,
    'early\nlate\n',
  ),
  job(
    'a grandchild that outlives it',
    `$W sh -c 'setsid sh -c "sleep 0.2; echo done > f" > /dev/null 2>&1 & echo out'; until [ -s f ]; do sleep 0.02; done; cat f`,
    0,
    'out\ndone\n',
  ),
  {
    ...job(
      'a terminal',
      `script -qec "$T sh -c 'test -t 0 && test -t 1 && test -t 2 && echo yes'" /dev/null`,
      0,
      'yes\r\n',
    ),
    needs: 'script',
  },
  {
    ...job(
      'a terminal to read from',
      `script -qec "$W sh -c 'test -t 0 && echo yes; exit 6'" /dev/null`,
      6,
      'yes\r\n',
    ),
    needs: 'script',
  },
  { ...job('asked to end', `exec $W sh -c 'echo ready; exec sleep 60'`, 143, 'ready\n'), signal: 'SIGTERM' },
  { ...job('interrupted', `exec $W sh -c 'echo ready; exec sleep 60'`, 130, 'ready\n'), signal: 'SIGINT' },
  {
    ...job(
      'asked to end, with a last word',
      `exec $W bash -c 'trap "echo got; exit 7" TERM; echo ready; while :; do sleep 0.02; done'`,
      7,
      'ready\ngot\n',
    ),
    signal: 'SIGTERM',
  },
];

export const endings: readonly Job[] = [...statuses, ...others];

export const streams: readonly Job[] = [...paths, ...contents];
