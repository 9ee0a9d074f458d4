/** A timeline whose integration `team` collects for a minute, and what it is sent: for the tests of messages about several checks. */
import { afterEach, beforeEach, expect } from 'vitest';
import { AlertTimeline } from './alert-timeline.ts';

export class Collected {
  timeline = undefined as unknown as AlertTimeline;

  /** For the test file that calls it: anew for each of its tests. */
  static forFile(): Collected {
    const scene = new Collected();
    beforeEach(async () => {
      scene.timeline = await AlertTimeline.start();
      await scene.timeline.integration('team', { collectS: 60 }, '$INCIDENT_TITLE\n$INCIDENT_TEXT\n');
    });
    afterEach(() => scene.timeline.stop());
    return scene;
  }

  messages(): readonly string[] {
    return this.timeline.sentTo('team').map((text) => text.replace(/\nIncident began.*\n/, ''));
  }

  titles(): readonly string[] {
    return this.messages().map((text) => text.split('\n').slice(0, 2).join('. '));
  }

  /** Once so many have come, and Knell knows. */
  async untilMessages(count: number, integration = 'team'): Promise<void> {
    await expect.poll(() => this.timeline.sentTo(integration).length).toBe(count);
    await this.timeline.advance(0);
  }

  async fail(...names: readonly string[]): Promise<void> {
    for (const name of names) await this.timeline.ping(name, '/fail');
  }

  async checks(...names: readonly string[]): Promise<void> {
    for (const name of names) await this.timeline.check(name, { timeout: 86_400, grace: 3600 });
  }
}
