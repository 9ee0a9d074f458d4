/** Entries of the audit log that one action on many checks has left, found by what they have in common. Pure. */
import type { AuditEntryView } from '../../domain/views/account-view.ts';

/** Fewer are shown as they are. */
const foldedMin = 3;
/** Milliseconds between two requests of one action: the page sends one for each check. */
const apartMsMax = 2000;

/** Returns the entries in their order: those of one action together, each other one by itself. */
export function foldsOf(entries: readonly AuditEntryView[]): readonly (readonly AuditEntryView[])[] {
  const folds: AuditEntryView[][] = [];
  for (const entry of entries) {
    const last = folds.at(-1);
    if (last && isOf(last, entry)) last.push(entry);
    else folds.push([entry]);
  }
  return folds.flatMap((fold) => (fold.length < foldedMin ? fold.map((one) => [one]) : [fold]));
}

/** An action does something to each check once. */
function isOf(fold: readonly AuditEntryView[], entry: AuditEntryView): boolean {
  const last = fold.at(-1);
  return (
    last !== undefined &&
    entry.subject === 'check' &&
    whatOf(last) === whatOf(entry) &&
    Math.abs(last.atMs - entry.atMs) <= apartMsMax &&
    !fold.some((one) => checkOf(one) === checkOf(entry))
  );
}

/** One that was deleted has only its name. */
function checkOf({ place, name }: AuditEntryView): string {
  return place?.id ?? name;
}

function whatOf({ actor, address, action, subject, projectName }: AuditEntryView): string {
  return JSON.stringify([actor.kind, actor.id, actor.name, address, action, subject, projectName]);
}
