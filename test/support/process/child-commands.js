// Runs commands of the built program one after the other in one process, as `knell` with these arguments would: a process
// of its own for each costs 0.2 to 0.5 s. Over IPC it is asked { args, env, cwd } and answers { status, stdout, stderr }.
// Not the same as processes: what a command leaves behind, such as an open handle, does not keep it from ending.
import { pathToFileURL } from 'node:url';

const { run } = await import(pathToFileURL(process.argv[2]).href);
const ownEnv = { ...process.env };

/** Collects what `work` writes to both streams. */
async function captured(work) {
  const written = { stdout: '', stderr: '' };
  const real = { stdout: process.stdout.write, stderr: process.stderr.write };
  for (const name of Object.keys(written)) {
    process[name].write = (chunk) => {
      written[name] += chunk;
      return true;
    };
  }
  try {
    return { status: await work(), ...written };
  } finally {
    for (const name of Object.keys(real)) process[name].write = real[name];
    process.stdout.removeAllListeners('error');
  }
}

process.on('message', async ({ args, env, cwd }) => {
  process.chdir(cwd);
  process.env = { ...ownEnv, ...env };
  process.send(await captured(() => run(args)));
});
process.once('disconnect', () => process.exit(0));
process.send('ready');
