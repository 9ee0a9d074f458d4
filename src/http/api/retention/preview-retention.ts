/**
 * Previews rules of retention that are not set yet: of a check, or of the project of the key.
 * `domain/retention` says what is valid and what rules drop; `engine/reads/retained` counts.
 * Invariant: changes nothing.
 */
import { retentionCharsMax } from '../../../domain/limits.ts';
import { retentionError } from '../../../domain/retention/retention-rules.ts';
import type { RetentionPreviewAnswer } from '../../../domain/views/api-answers.ts';
import { previewOfCheck, previewOfProject, type RetentionPreview } from '../../../engine/reads/retained.ts';
import { FieldReader } from '../../../spec/field-reader.ts';
import { errorReply, jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import type { ApiCall } from '../call.ts';
import { showCheck } from '../check-lookup.ts';

/** Of one check: with the rules in place of its own. */
export async function previewRetention(call: ApiCall): Promise<HttpReply> {
  const asked = rulesIn(call);
  if ('error' in asked) return errorReply(400, asked.error);
  return showCheck(call, (check) => jsonReply(previewJson(previewOfCheck(call.read, check, asked.rules))));
}

/** Of the checks of the project that have no rules of their own. */
export async function previewProjectRetention(call: ApiCall): Promise<HttpReply> {
  const asked = rulesIn(call);
  if ('error' in asked) return errorReply(400, asked.error);
  const { read, project, nowMs } = call;
  return jsonReply(previewJson(await previewOfProject(read, project.id, asked.rules, nowMs)));
}

function rulesIn({ json }: ApiCall): { readonly rules: string } | { readonly error: string } {
  const fields = new FieldReader(json);
  const rules = fields.text('retention', { lengthMax: retentionCharsMax, wrong: retentionError });
  if (fields.error !== null) return { error: `json validation error: ${fields.error}` };
  return rules === undefined ? { error: 'json validation error: retention is missing' } : { rules };
}

function previewJson(preview: RetentionPreview): RetentionPreviewAnswer {
  const { pings, bodies, bytes, checks, checksLeftOut } = preview;
  return { pings, bodies, bytes, checks, checks_left_out: checksLeftOut };
}
