/** What ends the connection to NATS before a server is asked. With real servers: `test/path/cluster*`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { silentLogger } from '../../../src/lib/logger.ts';
import { eventLoop } from '../../../src/store/disk/scheduler.ts';
import { connectNats } from '../../../src/store/replicated/nats-link.ts';
import { tempDir } from '../../support/temp-dirs.ts';

it('an authority that is missing or no certificate ends the start, with its file', async () => {
  const directory = tempDir();
  const garbage = join(directory, 'garbage.pem');
  writeFileSync(garbage, 'garbage');
  for (const caFile of [garbage, join(directory, 'missing.pem')]) {
    const connecting = connectNats({
      ...{ urls: ['tls://127.0.0.1:1'], token: null, name: 'a', scheduler: eventLoop, logger: silentLogger },
      ...{ tls: { caFile, certFile: null, keyFile: null }, signal: AbortSignal.timeout(30_000) },
    });
    const message = expect.stringContaining(`KNELL_CLUSTER_CA: ${caFile} `);
    await expect(connecting).rejects.toMatchObject({ code: 'usage', message });
  }
});
