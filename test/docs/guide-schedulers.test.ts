/** Each text of the guide for schedulers, run as its scheduler would: its commands, by a shell, with what the scheduler sets. */
import { parse } from 'yaml';
import { asCron, asScript, type Ended, ended, jobFile, tryGuide, withJob } from '../support/guides.ts';
import type { Json } from '../support/knell.ts';
import { tempDir } from '../support/temp-dirs.ts';

const endOnly = { works: ['success'], fails: ['fail'] };

/** Systemd makes one $ of two. */
function commandOf(unit: string, setting: string): string {
  const [, value = ''] = new RegExp(`^${setting}=\\+-(.*)$`, 'm').exec(unit) ?? [];
  return value.replaceAll('$$', () => '$');
}

async function asSystemd(text: string, works: boolean): Promise<Ended> {
  const env = works
    ? { SERVICE_RESULT: 'success', EXIT_STATUS: '0' }
    : { SERVICE_RESULT: 'signal', EXIT_STATUS: 'KILL' };
  await ended('sh', ['-c', commandOf(text, 'ExecStartPre')], { env });
  return ended('sh', ['-c', commandOf(text, 'ExecStopPost')], { env });
}

function asLaunchd(text: string, works: boolean): Promise<Ended> {
  const command = [...text.matchAll(/<string>(.*)<\/string>/g)].at(-1)?.[1] ?? '';
  return ended('sh', ['-c', withJob(command, works)]);
}

function asKubernetes(text: string, works: boolean): Promise<Ended> {
  const { jobTemplate } = parse(withJob(text, works)).spec;
  const [{ command, env }] = jobTemplate.spec.template.spec.containers;
  return ended(command[0], command.slice(1), { env: { PING_URL: env[0].value } });
}

/** Its steps but the job itself and the checkout. */
async function asGithub(text: string, works: boolean, url: string): Promise<void> {
  const { steps } = parse(text).jobs.job;
  const env = { KNELL_URL: url, RUNNER_TEMP: tempDir(), GITHUB_RUN_ID: '7' };
  for (const { run } of steps as readonly Json[]) {
    if (run === undefined || run === './job') continue;
    await ended('bash', ['-e', '-c', run.replace(/\$\{\{.*?\}\}/, works ? 'success' : 'cancelled')], { env });
  }
}

async function asGitlab(text: string, works: boolean, url: string): Promise<Ended> {
  const { before_script: before, after_script: after } = parse(text).job;
  const env = { KNELL_URL: url, CI_JOB_STATUS: works ? 'success' : 'canceled', CI_JOB_URL: 'job 7' };
  await asScript('sh', before.join('\n'), { env });
  return asScript('sh', after.join('\n'), { env });
}

/** Its steps of the shell: the first of the stage, and that of the outcome. */
async function asJenkins(text: string, works: boolean, url: string): Promise<Ended> {
  const env = { KNELL_URL: url, BUILD_URL: 'build 7' };
  const [, start = ''] = /sh '(.*)'/.exec(text) ?? [];
  const [, end = ''] = new RegExp(`${works ? 'success' : 'failure'} \\{ sh '(.*)' \\}`).exec(text) ?? [];
  await ended('sh', ['-c', start], { env });
  return ended('sh', ['-c', end], { env });
}

tryGuide(
  'guide-schedulers',
  {
    cron: { run: (text, works) => asCron(withJob(text, works)) },
    'cron 2': { run: (text, works) => asCron(withJob(text, works)), ...endOnly },
    'cron 3': { run: (text, works) => asCron(withJob(text, works)) },
    systemd: { run: asSystemd },
    launchd: { run: asLaunchd, ...endOnly },
    Docker: {
      run: (text, works) => {
        const job = jobFile(works ? 0 : 125);
        return asCron(text.replace('docker run --rm registry.example.org/job', job));
      },
      ...endOnly,
    },
    Kubernetes: { needs: 'wget', run: asKubernetes },
    'GitHub Actions': { run: asGithub },
    GitLab: { run: asGitlab },
    Jenkins: { run: asJenkins },
  },
  { 'Windows Task Scheduler': 'needs Windows', 'Windows Task Scheduler 2': 'needs Windows' },
);
