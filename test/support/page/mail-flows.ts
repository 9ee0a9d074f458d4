/** A Knell with a mail server, members who have passwords, and the mails that have come. */
import { simpleParser } from 'mailparser';
import { SimulatedClock } from '../engine/simulated-clock.ts';
import { Knell } from '../knell.ts';
import { eventually } from '../patience.ts';
import { MailReceiver } from '../wire/receivers.ts';
import { goodPassword, linkIn, ownerPage, PageClient, projectIn } from './page-client.ts';

export const startMs = Date.UTC(2026, 0, 1);

export class MailFlows {
  readonly inbox: MailReceiver;
  readonly clock: SimulatedClock;
  readonly knell: Knell;
  readonly owner: PageClient;
  readonly project: string;

  private constructor(parts: Pick<MailFlows, 'inbox' | 'clock' | 'knell' | 'owner' | 'project'>) {
    this.inbox = parts.inbox;
    this.clock = parts.clock;
    this.knell = parts.knell;
    this.owner = parts.owner;
    this.project = parts.project;
  }

  static async start(sendsMail = true): Promise<MailFlows> {
    const inbox = await MailReceiver.start();
    const clock = new SimulatedClock(startMs);
    const knell = await Knell.start({ clock, env: sendsMail ? { KNELL_MAIL_URL: inbox.url } : {} });
    const owner = await ownerPage(knell);
    return new MailFlows({ inbox, clock, knell, owner, project: await projectIn(owner) });
  }

  async stop(): Promise<void> {
    await this.knell.stop();
    await this.inbox.stop();
  }

  /** A member of the installation with a password, signed in. */
  async member(name: string, role = 'viewer'): Promise<PageClient> {
    const { link } = (await this.owner.post('/web/users', { name, role })).json();
    return this.#withPassword(link);
  }

  /** A member of the project only. */
  async memberOfProject(name: string, role: string): Promise<PageClient> {
    const { link } = (
      await this.owner.post(`/web/in/${this.project}/members`, { name, role, installation: 'none' })
    ).json();
    return this.#withPassword(link);
  }

  async #withPassword(link: string): Promise<PageClient> {
    const page = new PageClient(this.knell);
    await page.post('/web/set-password', { link: linkIn(link), password: goodPassword });
    await page.get('/web/state');
    return page;
  }

  async mails(): Promise<readonly ReceivedMail[]> {
    const parsed = await Promise.all(this.inbox.all.map(({ text }) => simpleParser(text)));
    return parsed.map(({ subject = '', text = '', to }) => ({
      subject,
      text,
      to: [to ?? []]
        .flat()
        .map((one) => one.text)
        .join(),
    }));
  }

  /** The newest mail to that address with that subject, once it has come. */
  mail(to: string, subject: RegExp): Promise<ReceivedMail> {
    return eventually(async () => {
      const found = (await this.mails()).findLast((one) => one.to === to && subject.test(one.subject));
      if (!found) throw new Error(`no mail to ${to} about ${subject} yet`);
      return found;
    });
  }

  /** Resolves once every mail that was on its way before has come. */
  async settled(): Promise<void> {
    const to = `mark-${this.inbox.all.length}@example.org`;
    await this.owner.post('/web/server-settings/test-email', { to });
    await this.mail(to, /Test email/);
  }

  user(name: string) {
    return this.knell.app.engine.read.users().find((user) => user.name === name);
  }

  async audit(): Promise<readonly string[]> {
    const { entries } = (await this.owner.get('/web/audit')).json();
    return entries.map(
      (entry: Record<string, { name: string; kind: string } & string>) =>
        `${entry.actor?.kind} ${entry.actor?.name} ${entry.action} ${entry.subject} ${entry.name}: ${entry.fields}; ${entry.detail}`,
    );
  }
}

interface ReceivedMail {
  readonly subject: string;
  readonly text: string;
  readonly to: string;
}

/** The path of the link that confirms an address. */
export function confirmPath({ text }: ReceivedMail): string {
  return /http:\/\/knell\.test(\/confirm-address\/\S+)/.exec(text)?.[1] ?? '';
}
