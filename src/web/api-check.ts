/** What the management API says of a check and of its pings: specification, "Check" and "Ping". */
import type { Status } from '../domain/check.ts';
import type { Signal } from '../domain/ping.ts';

export interface ApiCheck {
  readonly name: string;
  readonly slug: string;
  readonly tags: string;
  readonly desc: string;
  readonly grace: number;
  readonly status: Status;
  readonly manual_resume: boolean;
  readonly methods: string;
  readonly start_kw: string;
  readonly success_kw: string;
  readonly failure_kw: string;
  readonly filter_subject: boolean;
  readonly filter_body: boolean;
  readonly filter_http_body: boolean;
  readonly filter_default_fail: boolean;
  readonly badge_url: string;
  readonly uuid: string;
  readonly ping_url: string;
  readonly channels: string;
  /** Of a simple check. */
  readonly timeout?: number;
  readonly schedule?: string;
  readonly tz?: string;
}

export interface ApiPing {
  readonly type: Signal;
  readonly date: string;
  readonly n: number;
  readonly scheme: 'http' | 'https' | 'email';
  readonly remote_addr: string;
  readonly method: string;
  readonly ua: string;
  readonly rid: string | null;
  readonly duration?: number;
  readonly body_url: string | null;
}

export function apiPath(project: string, rest: string): string {
  return `/web/in/${project}/api/${rest}`;
}
