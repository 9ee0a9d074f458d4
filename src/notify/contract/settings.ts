/**
 * Settings that the senders need besides an integration's value: accounts with vendors, servers of the owner's. An empty one
 * means that the kinds that need it cannot be used.
 * Invariants: all of them are secrets: none is logged, none is in an error. They may change while Knell runs: nobody keeps one.
 */
import type { CidrList } from '../../lib/addresses.ts';

export interface NotifySettings {
  /** `smtp://user:password@host:port`, or `smtps://`. */
  readonly mailUrl: string;
  readonly mailFrom: string;
  /** IANA name: the zone of integrations that have none of their own. */
  readonly timeZone: string;
  readonly webhookAllow: CidrList;
  readonly shellChannels: boolean;
  readonly appriseUrl: string;
  /** The apps of this server at Discord and Slack, for integrations that are added on their pages. */
  readonly discordClientId: string;
  readonly discordClientSecret: string;
  readonly githubToken: string;
  readonly matrixHomeserver: string;
  readonly matrixToken: string;
  readonly pushoverToken: string;
  readonly signalUrl: string;
  readonly signalNumber: string;
  readonly slackClientId: string;
  readonly slackClientSecret: string;
  readonly telegramToken: string;
  readonly trelloKey: string;
  readonly twilioAccount: string;
  readonly twilioAuth: string;
  readonly twilioFrom: string;
  readonly whatsappService: string;
  readonly whatsappDownSid: string;
  readonly whatsappUpSid: string;
}
