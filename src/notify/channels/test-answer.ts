/**
 * What a webhook answered to a test, as the page shows it. Some servers repeat what they were sent: headers and the address may hold
 * secrets, and are left out.
 */
import type { TestAnswer } from '../../domain/deliveries/sent-notification.ts';
import { testAnswerCharsMax } from '../contract/limits.ts';
import type { HttpResponse, OutgoingRequest } from '../wire/send-http.ts';

/** Characters from which on a word of a header, or of an address, is taken for a secret. */
const secretCharsMin = 6;

export function testAnswer(
  { status, statusText = '', body }: HttpResponse,
  request: OutgoingRequest,
): TestAnswer {
  const secrets = secretsOf(request);
  const without = (text: string): string =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
  return { status: without(`${status} ${statusText}`).trim(), text: beginning(without(body).trim()) };
}

/** Longest first: one may be in another. */
function secretsOf({ headers, url }: OutgoingRequest): readonly string[] {
  const values = Object.entries(headers).flatMap(([name, value]) =>
    name.toLowerCase() === 'content-type' ? [] : [value, ...value.split(/[\s=,;]+/)],
  );
  const { pathname, search, username, password } = new URL(url);
  const all = [
    ...values,
    `${pathname}${search}`,
    ...pathname.split('/'),
    username,
    password,
    ...search.split(/[?&=]/),
  ];
  const secrets = all.flatMap((one) => [one, decoded(one)]).filter(({ length }) => length >= secretCharsMin);
  return [...new Set(secrets)].sort((a, b) => b.length - a.length);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** No half of a character is left of one that is cut. */
function beginning(text: string): string {
  const chars = Array.from(text.slice(0, 2 * testAnswerCharsMax + 2));
  return chars.length > testAnswerCharsMax ? `${chars.slice(0, testAnswerCharsMax).join('')}…` : text;
}
