/** What the management API says of a check and of its pings: specification, "Check" and "Ping". */
import type { Status } from '../../domain/check/check.ts';
import type { CheckFieldName, CheckFields, CheckFieldValues } from '../../domain/check/check-fields.ts';
import type { Signal } from '../../domain/check/ping.ts';
import type { NotificationKind } from '../../domain/deliveries/delivery.ts';
import type { NotificationOutcome } from '../../domain/deliveries/sent-notification.ts';

/** Shown in another form than an owner set it, or of one kind of check only. */
type ShownOtherwise = 'kind' | 'channels' | 'timeoutS' | 'schedule' | 'tz';

type FieldsAsSet = {
  readonly [Name in Exclude<
    CheckFieldName,
    ShownOtherwise
  > as CheckFields[Name]['json']]: CheckFieldValues[Name];
};

export interface ApiCheck extends FieldsAsSet {
  readonly status: Status;
  readonly badge_url: string;
  readonly uuid: string;
  /** Not for viewers. */
  readonly ping_url?: string;
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

/** What became of a notification: "The management API" in the manual. */
export interface ApiNotification {
  readonly timestamp: string;
  readonly event: NotificationKind;
  readonly channel: string;
  /** Empty when the integration has none, or had been deleted. */
  readonly channel_name: string;
  readonly channel_kind: string;
  readonly outcome: NotificationOutcome;
  readonly attempts: number;
  readonly error: string;
}

/** `GET …/checks/<id>/snooze`. */
export interface ApiSnooze {
  readonly acknowledged: { readonly timestamp: string; readonly by: string } | null;
  readonly snoozed: { readonly timestamp: string; readonly until: string; readonly by: string } | null;
}

/** How a person keeps notifications of a check back, or stops doing so: each a POST that answers with the check. */
export function alertPath(
  project: string,
  id: string,
  action: 'acknowledge' | 'unacknowledge' | 'snooze' | 'unsnooze',
): string {
  return apiPath(project, `checks/${id}/${action}`);
}

/** The body of a snooze. */
export type SnoozeBody = { readonly until: string | number } | { readonly for: number };

/** A POST sends a success by hand. */
export function pingPath(project: string, id: string): string {
  return `/web/in/${project}/checks/${id}/ping`;
}

/** A POST takes the check to another project: `{ project, channels }`. */
export function movePath(project: string, id: string): string {
  return `/web/in/${project}/checks/${id}/move`;
}

export function apiPath(project: string, rest: string): string {
  return `/web/in/${project}/api/${rest}`;
}
