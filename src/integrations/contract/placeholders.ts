/**
 * The placeholders of a webhook, each with its meaning. `notify/channels/webhook.ts` replaces them; the form and the command line
 * list them from here.
 * Invariant: pure data and pure functions; no placeholder is listed that is not replaced.
 */

/** By name, in the order in which they are listed. */
export const placeholders = {
  NAME: 'name of the check',
  STATUS: '`down`, `up`, `grace` when late, or `warning` for an event that only warns',
  CHECK_URL: 'address of the check',
  NOW: 'time of the event, in UTC',
  TAGS: 'tags of the check, separated by spaces',
  SLUG: 'slug of the check',
  CODE: 'UUID of the check',
  EXITSTATUS: 'exit status of the job, or -1',
  BODY: 'body of the last ping',
  JSON: 'the check, as the API shows it',
  NAME_JSON: 'name of the check as a JSON string, with quotes',
  BODY_JSON: 'body of the last ping as a JSON string, with quotes',
  INCIDENT_ID: 'id of the incident',
  INCIDENT_TITLE: 'title of the message about the incident',
  INCIDENT_TEXT: 'text of that message',
} as const;

export type PlaceholderName = keyof typeof placeholders;

/** The placeholder of one tag, such as `TAG1`: there is one for each tag of the check. */
export const tagPlaceholder = {
  name: 'TAG1',
  meaning: 'first tag of the check; $TAG2 the second, and so on',
};

/** Those that an integration has only while it collects alerts into incidents. */
export function isOfIncident(name: string): boolean {
  return name.startsWith('INCIDENT_');
}

/** The longer of two names comes first: `$BODY_JSON` is not `$BODY` and a rest. */
const names = Object.keys(placeholders).sort((a, b) => b.length - a.length);

/** Finds all placeholders of a text; the name is the first group. It is global: use it with `replace`. */
export const placeholderPattern = new RegExp(`\\$(${names.join('|')}|TAG[1-9]\\d*)`, 'g');

/** Names in capitals after a `$` that no placeholder begins, each once: `$NAMES` is one and a rest. */
export function unknownPlaceholders(template: string): readonly string[] {
  const left = template.replace(placeholderPattern, ' ');
  return [...new Set([...left.matchAll(/\$([A-Z][A-Z0-9_]*)/g)].flatMap(([, name]) => name ?? []))];
}

/** Whether a template is JSON with a number in every place: most places are inside strings, some stand for numbers. */
export function isJsonTemplate(template: string): boolean {
  try {
    JSON.parse(template.replace(placeholderPattern, '0'));
    return true;
  } catch {
    return false;
  }
}
