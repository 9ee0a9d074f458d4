/**
 * GitHub: what goes down opens an issue, what comes up closes it. Code, not data: which issue is ours has to be found first.
 * Invariant: a check has at most one open issue of Knell's, so that an attempt made twice changes nothing.
 */
import { channelFields } from '../../integrations/channel-value.ts';
import type { ResponseRules, TextLimit } from '../../integrations/contract/request.ts';
import { messageOf } from '../../lib/errors.ts';
import type { Notice, Outcome, Send } from '../contract/channel.ts';
import { delivered } from '../contract/channel.ts';
import type { OutgoingRequest } from '../wire/send-http.ts';
import { keyOf } from '../words/facts.ts';
import { formatted } from '../words/formats.ts';
import { messageOf as rendered } from '../words/render.ts';
import type { HttpKindOptions } from './http-kind.ts';
import { readResponse, tryRequest } from './http-response.ts';

export function githubSender(options: HttpKindOptions): Send {
  return async (notice, signal) => {
    const token = options.settings.githubToken;
    if (token === '') return { kind: 'refused', error: 'GitHub needs KNELL_GITHUB_TOKEN to be set' };
    const call: IssueCall = { options, notice, signal, token };
    const found = await findIssue(call);
    if (typeof found === 'object') return found;
    if (notice.notificationKind === 'up') return found === 0 ? delivered : close(call, found);
    return found === 0 ? open(call) : delivered;
  };
}

/** https://docs.github.com/rest/issues: 404, no such repository for this token; 410, the repository has no issues. */
const rules: ResponseRules = { refused: [403, 404, 422], gone: [{ status: 410 }] };

interface IssueCall {
  readonly options: HttpKindOptions;
  readonly notice: Notice;
  readonly signal: AbortSignal;
  readonly token: string;
}

/** Hidden in an issue's text: shows which delivery created it. */
function marker(notice: Notice): string {
  return `<!-- knell ${keyOf(notice)} -->`;
}

function fieldsOf({ channel }: Notice): { readonly repo: string; readonly labels: readonly string[] } {
  const { repo = '', labels = '' } = channelFields('github', channel.value);
  const names = String(labels).split(',');
  return { repo: String(repo), labels: names.map((name) => name.trim()).filter((name) => name !== '') };
}

function githubRequest(
  notice: Notice,
  token: string,
  asked: { readonly method: string; readonly path: string; readonly json?: unknown },
): OutgoingRequest {
  const repo = fieldsOf(notice).repo.split('/').map(encodeURIComponent).join('/');
  return {
    method: asked.method,
    url: `https://api.github.com/repos/${repo}/issues${asked.path}`,
    headers: {
      Accept: 'application/vnd.github+json',
      Authorization: `Bearer ${token}`,
      'X-GitHub-Api-Version': '2022-11-28',
      'Idempotency-Key': notice.deliveryId,
      ...(asked.json === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    body: asked.json === undefined ? null : JSON.stringify(asked.json),
  };
}

/** GitHub lists a hundred at a time, the newest first: an older one than this of ours is not looked for. */
const perPage = 100;

/** The number of the open issue of this check; 0 for none; or why that cannot be said. */
async function findIssue({ options, notice, signal, token }: IssueCall): Promise<number | Outcome> {
  const request = githubRequest(notice, token, { method: 'GET', path: `?state=open&per_page=${perPage}` });
  try {
    const response = await options.send(request, signal);
    const outcome = readResponse(response, { rules, ownAddress: false, nowMs: options.nowMs() });
    return outcome.kind === 'delivered' ? numberOf(response.body, marker(notice)) : outcome;
  } catch (error) {
    return { kind: 'failed', error: messageOf(error) };
  }
}

function numberOf(text: string, mark: string): number {
  const issues: unknown = JSON.parse(text);
  if (!Array.isArray(issues)) return 0;
  for (const issue of issues as readonly { readonly body?: unknown; readonly number?: unknown }[]) {
    if (typeof issue.body === 'string' && issue.body.includes(mark) && typeof issue.number === 'number')
      return issue.number;
  }
  return 0;
}

function open({ options, notice, signal, token }: IssueCall): Promise<Outcome> {
  const request = githubRequest(notice, token, { method: 'POST', path: '', json: newIssue(notice) });
  return tryRequest(options, { request, rules, signal, ownAddress: false });
}

/** https://docs.github.com/rest/issues: a body has at most 65,536 characters. */
const limit: TextLimit = { max: 60_000, unit: 'characters', bodyCharsMax: 10_000 };

function newIssue(notice: Notice): Readonly<Record<string, unknown>> {
  const message = rendered(notice);
  const { url, text } = message.link;
  return {
    title: message.title,
    body: `[${text}](<${url}>)\n\n${formatted(message, 'document', limit)}\n\n${marker(notice)}`,
    labels: fieldsOf(notice).labels,
  };
}

function close({ options, notice, signal, token }: IssueCall, issue: number): Promise<Outcome> {
  const json = { state: 'closed', state_reason: 'completed' };
  const request = githubRequest(notice, token, { method: 'PATCH', path: `/${issue}`, json });
  return tryRequest(options, { request, rules, signal, ownAddress: false });
}
