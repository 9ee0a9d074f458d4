/**
 * Settings of a check that a ping creates, as texts: `?create=1&timeout=1h&grace=600&tags=db`. Same names, bounds and words of
 * errors as in the API.
 * Invariant: pure; anything that is no setting is left out.
 */
import { defaultConfig } from '../domain/check/check.ts';
import type { NewCheck } from '../domain/check/new-check.ts';
import { newCheckChannelsCharsMax } from '../domain/limits.ts';
import { configAfter } from './apply-spec.ts';
import { type CheckSpec, parseSpec } from './check-spec.ts';
import { spanSeconds } from './maintenance-spec.ts';

/**
 * The parameters, in the order in which errors are reported. `alert_after`, `max_runtime` and `recover_after` are none of a ping's address, but of
 * other services.
 */
const names = [
  ...(['alert_after', 'channels', 'grace', 'max_runtime', 'name', 'recover_after'] as const),
  ...(['schedule', 'tags', 'timeout', 'tz'] as const),
] as const;
type NewCheckParameter = (typeof names)[number];

const inSeconds: ReadonlySet<string> = new Set(['grace', 'max_runtime', 'timeout']);
const counts: ReadonlySet<string> = new Set(['alert_after', 'recover_after']);

export type NewCheckTexts = { readonly [Name in NewCheckParameter]?: string | undefined };

/** Null: nothing is set. `error` is a sentence that names the parameter. */
export function readNewCheck(texts: NewCheckTexts): NewCheck | { readonly error: string } | null {
  const spec = readGiven(texts);
  return spec === null || 'error' in spec ? spec : newCheckOf(spec);
}

/** Only what is set, for a check that exists. As `readNewCheck`. */
export function readGiven(texts: NewCheckTexts): CheckSpec | { readonly error: string } | null {
  const given = names.filter((name) => texts[name] !== undefined);
  if (given.length === 0) return null;
  const json = Object.fromEntries(given.map((name) => [name, jsonOf(name, texts[name] ?? '')]));
  const parsed = parseSpec(json);
  return parsed.ok ? parsed.spec : { error: parsed.error.replace(/^json validation error: /, '') };
}

function newCheckOf(spec: CheckSpec): NewCheck | { readonly error: string } {
  const { channels, alertAfter, recoverAfter } = spec;
  if (channels !== undefined && channels.length > newCheckChannelsCharsMax)
    return { error: 'channels is too long' };
  const { name, tags, kind, schedule, timeoutS, graceS, tz, maxRuntimeS } = configAfter(
    defaultConfig,
    spec,
    3,
    undefined,
  );
  const config = {
    ...(name === '' ? {} : { name }),
    ...{ tags, kind, schedule, timeoutS, graceS, tz, maxRuntimeS },
    ...(alertAfter === undefined ? {} : { alertAfter }),
    ...(recoverAfter === undefined ? {} : { recoverAfter }),
  };
  return channels === undefined ? { config } : { config, channels };
}

/** Seconds as a number, also of `90m`, `2h` or `1d`; a text that is neither stays one, and is refused as the API does. */
function jsonOf(name: NewCheckParameter, text: string): string | number {
  if (counts.has(name)) return Number(text);
  if (!inSeconds.has(name)) return text;
  return /^\d{1,15}$/.test(text) ? Number(text) : (spanSeconds(text.toLowerCase()) ?? text);
}
