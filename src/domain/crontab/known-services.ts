/** Other services that a command pings already, by the hosts of the addresses in it. Pure, and linear in the command. */

/** Their ping addresses, and those of their own subdomains. */
const hosts: readonly string[] = [
  ...['hc-ping.com', 'healthchecks.io', 'cronitor.link', 'cronitor.io', 'deadmanssnitch.com', 'nosnch.in'],
  ...['cronhub.io', 'heartbeat.uptimerobot.com', 'uptime.betterstack.com', 'betteruptime.com'],
  ...['ping.checklyhq.com', 'ping.ohdear.app', 'ingest.sentry.io'],
];

const host = /https?:\/\/(?:[^\s/@'"]{1,100}@)?([\w.-]{1,253})/gi;

/** Returns the host of the first; empty for none. */
export function servicePingedIn(command: string): string {
  for (const [, found = ''] of command.matchAll(host)) {
    const name = found.toLowerCase();
    if (hosts.some((known) => name === known || name.endsWith(`.${known}`))) return name;
  }
  return '';
}
