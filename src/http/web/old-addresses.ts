/**
 * The addresses of Healthchecks' pages that people keep as bookmarks, in runbooks and on walls, and Knell's own page for each.
 * Not here: those of checks, which need to know the check (`checks/check-addresses`).
 * Invariant: pure; an address says nothing about what there is, so that somebody who is not signed in learns nothing by it.
 */

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** With and without the slash at the end; where Knell's own address is the same without it, only with it. */
const moved: readonly (readonly [pattern: RegExp, path: string])[] = [
  [/^\/tv\/?$/, '/wall'],
  [new RegExp(`^/projects/(${uuid})/(checks|integrations|badges|settings)/?$`), '/project/$1/$2'],
  [/^\/(checks|integrations|badges|projects)\/$/, '/$1'],
  [/^\/accounts\/login\/?$/, '/sign-in'],
  [/^\/accounts\/profile\/?$/, '/account'],
  [/^\/docs\/api\/$/, '/docs/api'],
  [/^\/docs\/apiv[123]\/?$/, '/docs/api'],
  [
    /^\/docs\/(?:http_api|email|attaching_logs|autoprovisioning|measuring_script_run_time|signall?ing_failures|slug_urls)\/?$/,
    '/docs/pinging',
  ],
  [/^\/docs\/introduction\/?$/, '/docs/getting-started'],
  [/^\/docs\/(?:monitoring_cron_jobs|monitoring_systemd_tasks|github_actions)\/?$/, '/docs/guide-schedulers'],
  [
    /^\/docs\/(?:bash|python|javascript|php|ruby|go|csharp|powershell|arduino|reliability_tips)\/?$/,
    '/docs/guide-languages',
  ],
  [/^\/docs\/network_routers\/?$/, '/docs/guide-routers-and-nas'],
  [/^\/docs\/configuring_checks\/?$/, '/docs/schedules'],
  [/^\/docs\/(?:cloning_checks|projects_teams|user_interface)\/?$/, '/docs/web-page'],
  [/^\/docs\/configuring_notifications\/?$/, '/docs/integrations'],
  [/^\/docs\/configuring_prometheus\/?$/, '/docs/monitoring'],
  [/^\/docs\/badges\/?$/, '/docs/api'],
  [/^\/docs\/resources\/?$/, '/docs/clients'],
  [/^\/docs\/(?:self_hosted|self_hosted_docker)\/?$/, '/docs/installing'],
  [/^\/docs\/self_hosted_configuration\/?$/, '/docs/configuration'],
];

/** The path behind the base path to which an address of Healthchecks' leads; null for any other path. */
export function movedPath(path: string): string | null {
  for (const [pattern, to] of moved) if (pattern.test(path)) return path.replace(pattern, to);
  return null;
}
