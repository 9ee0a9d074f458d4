/** The column of users in a crontab, where one of its lines seems to have it. Invariant: pure. */

/** Of Debian and its packages; no programs that somebody runs by that name with a word after it. */
export const systemUsers =
  /^(?:root|www-data|nobody|daemon|postgres|munin|logcheck|amavis|debian-\S+|_\S+|systemd-\S+)$/;

/**
 * Of a command that seems to begin with a user, as in a line of `/etc/crontab` among those of a crontab without that column: the user,
 * and the command behind it. Null for any other.
 */
export function userBefore(command: string): { readonly user: string; readonly command: string } | null {
  const [, user = '', rest = ''] = /^(\S+)[ \t]+(\/.*)$/s.exec(command) ?? [];
  return systemUsers.test(user) ? { user, command: rest } : null;
}

/** Returns what to say of such a line. */
export function userWords(user: string): string {
  return `“${user}” looks like a user: in this crontab, cron would take it for the command.`;
}
