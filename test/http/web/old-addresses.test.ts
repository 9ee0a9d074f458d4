/** Bookmarks of Healthchecks' pages over a real socket, at the root and below a sub-path. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Knell } from '../../support/knell.ts';
import { ownerPage, PageClient } from '../../support/page/page-client.ts';

const id = '7a0c1f52-8b1e-4e0a-9d53-0d6f5a1c2b3e';

const bookmarks = [
  ['/tv/', '/wall'],
  [`/projects/${id}/checks/`, `/project/${id}/checks`],
  [`/projects/${id}/integrations/`, `/project/${id}/integrations`],
  [`/projects/${id}/badges/`, `/project/${id}/badges`],
  [`/projects/${id}/settings/`, `/project/${id}/settings`],
  ['/checks/', '/checks'],
  ['/integrations/', '/integrations'],
  ['/badges/', '/badges'],
  ['/projects/', '/projects'],
  ['/accounts/login/', '/sign-in'],
  ['/accounts/profile/', '/account'],
  ['/docs/api/', '/docs/api'],
  ['/docs/apiv3/', '/docs/api'],
  ...(
    [
      ['pinging', 'http_api', 'email', 'attaching_logs', 'autoprovisioning', 'measuring_script_run_time'],
      ['pinging', 'signaling_failures', 'signalling_failures', 'slug_urls'],
      ['getting-started', 'introduction'],
      ['guide-schedulers', 'monitoring_cron_jobs', 'monitoring_systemd_tasks', 'github_actions'],
      ['guide-languages', 'bash', 'python', 'javascript', 'php', 'ruby', 'go', 'csharp', 'powershell'],
      ['guide-languages', 'arduino', 'reliability_tips'],
      ['guide-routers-and-nas', 'network_routers'],
      ['schedules', 'configuring_checks'],
      ['web-page', 'cloning_checks', 'projects_teams', 'user_interface'],
      ['integrations', 'configuring_notifications'],
      ['monitoring', 'configuring_prometheus'],
      ['api', 'badges'],
      ['clients', 'resources'],
      ['installing', 'self_hosted', 'self_hosted_docker'],
      ['configuration', 'self_hosted_configuration'],
    ] as const
  ).flatMap(([to, ...pages]) => pages.map((page) => [`/docs/${page}/`, `/docs/${to}`] as const)),
] as const;

describe.each(['', '/knell'])('below "%s"', (base) => {
  let knell: Knell;
  let owner: PageClient;
  const stranger = () => new PageClient(knell);

  beforeAll(async () => {
    knell = await Knell.start(base === '' ? {} : { env: { KNELL_BASE_URL: `http://knell.test${base}` } });
    owner = await ownerPage(knell);
  });
  afterAll(() => knell?.stop());

  test.each(bookmarks)(
    '%s redirects to %s, which is there, for an owner and for who is not signed in',
    async (from, to) => {
      for (const client of [owner, stranger()]) {
        const answer = await client.get(base + from);
        expect([answer.status, answer.headers.get('location')]).toEqual([302, base + to]);
        expect((await client.get(base + to)).status).toBe(200);
      }
    },
  );

  test('the query stays', async () => {
    const answer = await owner.get(`${base}/projects/${id}/checks/?tag=prod`);
    expect(answer.headers.get('location')).toBe(`${base}/project/${id}/checks?tag=prod`);
  });

  test.each([
    '/tv/x',
    '/projects/nobody/checks/',
    `/projects/${id}/nowhere/`,
    '/accounts/',
    '/docs/nothing/',
    '/integrations/x',
  ])('%s stays not found', async (path) => {
    for (const client of [owner, stranger()]) expect((await client.get(base + path)).status).toBe(404);
  });

  test('a browser without an account reads that the manual has no such page', async () => {
    const { status, text } = await knell.request(`${base}/docs/nothing`, {
      headers: { accept: 'text/html' },
    });
    expect(status).toBe(404);
    expect(text).toContain('The manual has no page with this address.');
    expect(text).toContain(`href="${base}/docs/"`);
  });

  test('nothing else than reading is redirected', async () => {
    expect((await owner.post(`${base}/tv/`)).status).toBe(404);
  });
});
