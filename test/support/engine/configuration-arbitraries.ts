/** Random status pages, maintenance windows and places of event subscriptions. */
import fc from 'fast-check';
import { noticeStages } from '../../../src/domain/accounts/status-page.ts';
import {
  asChannelId,
  asCheckId,
  asMaintenanceId,
  asProjectId,
  asStatusPageId,
} from '../../../src/lib/ids.ts';
import { instant, text, uuid } from './basic-arbitraries.ts';

const timeSpans = fc.array(fc.record({ fromMs: instant, untilMs: instant }), { maxLength: 3 });

export const anyMaintenance = fc.record({
  id: uuid.map(asMaintenanceId),
  projectId: uuid.map(asProjectId),
  name: text,
  checks: fc.array(uuid.map(asCheckId), { maxLength: 3 }),
  tags: fc.array(text, { maxLength: 3 }),
  integrations: fc.array(uuid.map(asChannelId), { maxLength: 3 }),
  fromMs: instant,
  untilMs: instant,
  schedule: text,
  tz: text,
  durationS: fc.nat(),
  dates: timeSpans,
  except: timeSpans,
  countsAsDowntime: fc.boolean(),
  createdAtMs: instant,
  by: text,
});

export const anyStatusPage = fc.record({
  id: uuid.map(asStatusPageId),
  projectId: uuid.map(asProjectId),
  slug: text,
  title: text,
  description: text,
  timeZone: text,
  passwordHash: text,
  logo: text,
  incidentsAfter: fc.constantFrom('', '1m', '1h'),
  services: fc.array(
    fc.record({ id: text, name: text, checks: fc.array(uuid.map(asCheckId), { maxLength: 3 }), tag: text }),
    { maxLength: 3 },
  ),
  notices: fc.array(
    fc.record({
      id: text,
      title: text,
      services: fc.array(text, { maxLength: 3 }),
      updates: fc.array(fc.record({ atMs: instant, stage: fc.constantFrom(...noticeStages), text }), {
        maxLength: 3,
      }),
    }),
    { maxLength: 3 },
  ),
  createdAtMs: instant,
});

export const anyEventFeed = fc.record({
  id: uuid.map(asChannelId),
  projectId: uuid.map(asProjectId),
  epoch: text,
  seq: fc.nat(),
  place: fc.nat(),
  dead: fc.array(
    fc.record({ id: text, type: text, about: text, endedMs: instant, attempts: fc.nat(), error: text }),
    { maxLength: 3 },
  ),
});
