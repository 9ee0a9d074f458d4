/** The words that cron takes for five fields. `@reboot` is none of them: it is not a time. */
const nicknames: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** The five fields of `@daily` and its like; null for what is none, such as `@reboot`. */
export function scheduleOfNickname(name: string): string | null {
  return Object.hasOwn(nicknames, name) ? (nicknames[name] ?? null) : null;
}
