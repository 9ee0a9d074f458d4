/** Reads of the engine for the mail module and its dispatcher, which do not know it. Not here: their use (`notify`). */

import { quietHoursOf, windowFor } from '../domain/alerting/maintenance.ts';
import type { Engine } from '../engine/contract/engine.ts';
import { reportReads } from '../engine/reads/build-report.ts';
import { checkRenderer } from '../http/api/check-json.ts';
import type { Clock } from '../lib/clock.ts';
import type { NotifyReads } from '../notify/contract/notify.ts';
import { feedSource } from './feed-source.ts';

interface NotifyReadsOptions extends Pick<NotifyReads, 'readMail' | 'unsubscribeUrl' | 'alertUrl'> {
  readonly stopReportsUrl: NotifyReads['reports']['stopUrl'];
  readonly baseUrl: () => string;
  readonly clock: Clock;
}

export function notifyReads(
  engine: Engine,
  { baseUrl, clock, stopReportsUrl, ...others }: NotifyReadsOptions,
): NotifyReads {
  const { read, change } = engine;
  return {
    ...others,
    reports: { ...reportReads(engine, clock), stopUrl: stopReportsUrl },
    project: (id) => read.project(id),
    channel: (id) => read.channel(id),
    check: (id) => read.check(id, clock.nowMs()),
    durably: (look) => read.durably(look),
    isCaughtUp: () => read.isCaughtUp(),
    maintenance: (check) => windowFor(read.maintenance(check.projectId), check, clock.nowMs()),
    isAcknowledged: (id) => id !== undefined && read.incident(id)?.stage === 'acknowledged',
    incidentOf: (id) => read.incidentOf(id)?.id ?? null,
    incident: (id) => read.incident(id),
    isOpenIn: (id, incident) => read.isOpenIn(id, incident),
    statusOf: (id) => read.statusOf(id),
    quietUntil: (channel, check) =>
      quietHoursOf(read.maintenance(channel.projectId), { channelId: channel.id, check }, clock.nowMs()),
    checkCount: (id) => read.checkCount(id),
    checksDown: (id) => read.checksDown(id),
    checkJson: (check) => checkRenderer({ baseUrl: baseUrl(), version: 3, readOnly: false, nowMs: 0 })(check),
    *channels(id) {
      for (const project of read.projects())
        if (id === null || project.id === id) yield* read.channels(project.id);
    },
    editChannel: (id, edit) => change.editChannel(id, edit),
    feeds: feedSource(engine, clock),
  };
}
