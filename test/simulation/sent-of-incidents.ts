/** What is sent of incidents in a random life of alerting, and what must be. */
import type { EngineRead } from '../../src/engine/contract/engine.ts';
import type { IncidentId, ProjectId } from '../../src/lib/ids.ts';
import { minute, second } from '../../src/lib/units.ts';

/** Of an incident that has been open for longer than anything waits, the one that collects knows. */
export function auditIncidents(
  read: EngineRead,
  projectId: ProjectId,
  nowMs: number,
  sentOf: (id: IncidentId) => string,
): void {
  const team = read.channels(projectId).find(({ name }) => name === 'team');
  const waitMs = (team?.settings?.collectS ?? 0) * second + 2 * minute;
  // Maintenance and quiet hours keep back what waits to be collected.
  const isQuiet = read.maintenance(projectId).some(({ untilMs }) => nowMs < untilMs + 2 * minute);
  for (const incident of isQuiet ? [] : read.openIncidents(projectId)) {
    const down = incident.checks.filter(({ leftMs }) => leftMs === 0);
    const isPlain = down.every(({ id, joinedMs }) => {
      const check = read.check(id, nowMs);
      const sinceMs = Math.max(joinedMs, read.lastChange(id)?.atMs ?? 0);
      const isHandled = check?.hold || check?.snooze;
      return check?.state.status === 'down' && !isHandled && sinceMs + waitMs < nowMs;
    });
    const sent = sentOf(incident.id);
    if (isPlain && down.length > 0 && sent !== 'down' && sent !== 'paused')
      throw new Error(`incident ${incident.id} is open, and the team was sent ${sent || 'nothing'}`);
  }
}

/** What integrations were sent last of each incident. `paused`: a check was paused since, of which no end is sent. */
export class SentOfIncidents {
  readonly #sent = new Map<string, Map<string, string>>();

  /** What is wrong with it; empty for nothing. */
  came(integration: string, incident: string, status: string): string {
    const own = this.#sent.get(integration) ?? new Map<string, string>();
    this.#sent.set(integration, own);
    if (!/^[0-9a-f-]{36}$/.test(incident)) return `${integration} was sent ${incident} for an incident`;
    own.set(incident, status);
    return '';
  }

  sentOf(integration: string, incident: string): string {
    return this.#sent.get(integration)?.get(incident) ?? '';
  }

  paused(): void {
    for (const own of this.#sent.values())
      for (const [incident, status] of own) if (status === 'down') own.set(incident, 'paused');
  }

  mustBeOver(): void {
    for (const [integration, own] of this.#sent)
      for (const [incident, status] of own)
        if (status === 'down') throw new Error(`${integration} was not sent that ${incident} is over`);
  }
}
