/** The rules of retention of a check, as `domain/retention` takes them. Pure. */
import type { Check } from '../../domain/check/check.ts';
import type { RetentionSource } from '../../domain/retention/former-rules.ts';

export function retentionOf({ config, formerRetention }: Check): RetentionSource {
  return { retention: config.retention, formerRetention };
}
