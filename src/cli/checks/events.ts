/**
 * `knell events` prints what happens in a project: status changes, runs, incidents, notifications, changes of the configuration,
 * and pings if asked.
 * Invariant: with `-f`, each event is printed once, in order, and the command waits for a server that is away: it goes on behind
 * the last event that it has. What is missing is said on stderr.
 */

import { projectsNamed } from '../../client/find-check.ts';
import { isRefusal, type Management, type ProjectRef } from '../../client/management.ts';
import { pause } from '../../client/pause.ts';
import { answeredTitle } from '../../domain/accounts/channel-title.ts';
import { tookMs } from '../../domain/runs/run-took.ts';
import type { EventAnswer, EventListAnswer } from '../../domain/views/event-answers.ts';
import { messageOf } from '../../lib/errors.ts';
import type { Flags } from '../io/flags.ts';
import { eventsAgainMs, eventsPerRequest, eventsWaitS } from '../io/limits.ts';
import { formOf } from '../io/output.ts';
import { type Colour, coloured, printable, type TableStyle, tableStyle } from '../io/table.ts';
import { exitDone, print, printJson, warn } from '../io/terminal.ts';
import { yamlOf } from '../io/yaml.ts';
import { projectIn } from './check-actions.ts';
import { localTime } from './check-log.ts';
import { tookText } from './check-rows.ts';

/** Without `-f`: all that is kept behind `--after`, then it ends. */
export async function showEvents(management: Management, flags: Flags): Promise<number> {
  const projects = await projectsNamed(management, projectIn(flags));
  const followed = projects.map((project) => new Followed(management, project, flags));
  // The first look may fail: that is an error of the call.
  await Promise.all(followed.map((one) => one.read(0)));
  if (!flags.follow) {
    for (const one of followed) while (one.more) await one.read(0);
    return exitDone;
  }
  return Promise.race(followed.map((one) => one.follow()));
}

class Followed {
  readonly #management: Management;
  readonly #project: ProjectRef;
  readonly #flags: Flags;
  #after: string;
  more = false;

  constructor(management: Management, project: ProjectRef, flags: Flags) {
    this.#management = management;
    this.#project = project;
    this.#flags = flags;
    const first = flags.follow ? 'now' : 'oldest';
    this.#after = typeof flags.after === 'string' ? flags.after : first;
  }

  async follow(): Promise<never> {
    for (let failed = false; ; ) {
      try {
        await this.read(eventsWaitS);
        failed = false;
      } catch (error) {
        if (isRefusal(error)) throw error;
        if (!failed) warn(messageOf(error));
        failed = true;
        await pause(eventsAgainMs, []);
      }
    }
  }

  /** One page, for whose first event the server waits so long. */
  async read(waitS: number): Promise<void> {
    const { types, check, tag } = this.#flags;
    const query = new URLSearchParams({
      ...{ format: 'json', after: this.#after, limit: String(eventsPerRequest), wait: String(waitS) },
      ...(typeof types === 'string' ? { types } : {}),
      ...(typeof check === 'string' ? { check } : {}),
      ...(typeof tag === 'string' ? { tag } : {}),
    });
    const answer = await this.#management.call(this.#project, 'GET', `events?${query}`);
    const { events, next, more, gap } = answer as EventListAnswer;
    if (gap) warn(gap.message);
    printEvents(events, this.#flags);
    this.#after = next;
    this.more = more;
  }
}

function printEvents(events: readonly EventAnswer[], flags: Flags): void {
  const style = tableStyle(process.stdout, process.env);
  const form = formOf(flags);
  for (const event of events) {
    if (form === 'json') printJson(event);
    else if (form === 'yaml') process.stdout.write(`---\n${yamlOf(event)}`);
    else print(lineOf(event, form === 'wide', style));
  }
}

const typeWidth = 13;

function lineOf(event: EventAnswer, wide: boolean, style: TableStyle): string {
  const { colour, text } = wordsOf(event);
  const time = localTime(Date.parse(event.timestamp));
  const said = printable(
    'check' in event ? `${event.check.name || event.check.slug || 'unnamed'}: ${text}` : text,
  );
  const type = event.type.padEnd(typeWidth);
  const line = `${time}  ${coloured(type, 'grey', style)}  ${colour === null ? said : coloured(said, colour, style)}`;
  return wide ? `${line}  ${coloured(event.id, 'grey', style)}` : line;
}

interface Words {
  readonly text: string;
  readonly colour: Colour | null;
}

const statusColours: Readonly<Record<string, Colour>> = { up: 'green', down: 'red', grace: 'yellow' };

function wordsOf(event: EventAnswer): Words {
  switch (event.type) {
    case 'ping': {
      const status = event.exitstatus === null ? '' : `, exit status ${event.exitstatus}`;
      const colour = event.signal === 'fail' ? 'red' : null;
      return { text: `${event.signal}, ping ${event.n}${status}`, colour };
    }
    case 'status':
      return {
        text: `${event.status}, was ${event.previous} (${event.cause})`,
        colour: statusColours[event.status] ?? null,
      };
    case 'run': {
      const { started, timestamp: ended, duration } = event;
      const ms = tookMs({ started, ended, late_end: null, duration });
      const took = duration === null ? '' : ` in ${tookText(ms, duration)}`;
      return { text: `run ${event.outcome}${took}`, colour: event.outcome === 'succeeded' ? null : 'red' };
    }
    case 'incident':
      return { text: `${event.incident.title} (${event.incident.state})`, colour: null };
    case 'delivery': {
      const { event: kind, channel_name, channel_kind, outcome, error } = event.notification;
      const to = answeredTitle(channel_name, channel_kind) || 'nobody';
      return {
        text: `${kind} to ${to}: ${outcome}${error === '' ? '' : `, ${error}`}`,
        colour: outcome === 'failed' ? 'red' : null,
      };
    }
    case 'configuration': {
      const fields = event.fields.length === 0 ? '' : `: ${event.fields.join(', ')}`;
      const by = event.by === undefined ? '' : ` by ${event.by}`;
      return { text: `${event.subject} "${event.name}" ${event.action}${fields}${by}`, colour: null };
    }
  }
}
