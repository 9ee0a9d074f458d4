/**
 * From what to what a value was changed, as the audit log has it.
 * Invariant: a text is cut at its bound, and never in the middle of a character.
 */
import type { AuditChange, AuditFact } from '../../domain/accounts/audit.ts';
import { auditedCharsMax } from '../contract/limits.ts';

export type Said = string | number | boolean;

/** There is none where only what is cut off is different. */
export function change(field: string, before: Said, after: Said): readonly AuditChange[] {
  const [old, now] = [said(before), said(after)];
  return old === now ? [] : [{ field, before: old, after: now }];
}

export function changing(changes: readonly AuditChange[]): Pick<AuditFact, 'changes'> {
  return changes.length === 0 ? {} : { changes };
}

function said(value: Said): string {
  const text = String(value);
  // The cut must not leave half of a character.
  return text.length > auditedCharsMax
    ? `${text.slice(0, auditedCharsMax).replace(/\p{Surrogate}/u, '')}…`
    : text;
}
