/**
 * Searches for checks across all projects that the caller may see, for the command palette.
 * Invariant: an answer names no more checks than fit on a screen, and none of a project that the caller may not see.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Project } from '../../../domain/accounts/project.ts';
import { type Role, roleInProject } from '../../../domain/accounts/user.ts';
import type { FoundChecksView, FoundCheckView } from '../../../domain/views/page-view.ts';
import { foldCase, searchWords } from '../../../domain/words/search-words.ts';
import { checksFoundMax, projectsPerTurn, searchCharsMax } from '../../limits.ts';
import { jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import type { UserCall } from '../calls/call.ts';
import { shownId } from '../calls/shown-id.ts';
import { compareMatches, type Match } from '../list/best.ts';

interface Found extends Match {
  readonly project: Project;
  readonly role: Role;
}

/**
 * `q` is a list of words, all of which must occur in the check or in the name of its project. Without words nothing is found.
 */
export async function findChecks({ context, request, principal, nowMs }: UserCall): Promise<HttpReply> {
  const words = searchWords(new URLSearchParams(request.query).get('q') ?? '', searchCharsMax);
  const projects = words.length === 0 ? [] : context.engine.read.projects();
  const found: Found[] = [];
  let total = 0;
  let seen = 0;
  for (const project of projects) {
    const role = roleInProject(principal.user, project.id);
    if (role === 'none') continue;
    if (++seen % projectsPerTurn === 0) await nextTurn();
    const name = foldCase(project.name);
    const inCheck = words.filter((word) => !name.includes(word));
    const matches = await context.lists.of(project.id, nowMs).find(inCheck, checksFoundMax, nowMs);
    total += matches.total;
    found.push(...matches.best.map((match) => ({ ...match, project, role })));
    found.sort(compareMatches).splice(checksFoundMax);
  }
  return jsonReply({ checks: found.map(viewOf), total } satisfies FoundChecksView);
}

function viewOf({ entry, project, role }: Found): FoundCheckView {
  const { id, name, status, isNeverPinged, tags } = entry;
  return {
    ...{ id: shownId(role, id), name, status, tags, project: project.id, projectName: project.name },
    ...(status === 'new' && !isNeverPinged ? { isWaiting: true } : {}),
  };
}
