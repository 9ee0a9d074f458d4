/** The printers of owner's commands by their names. */
import { auditPrinters } from './audit.ts';
import { channelPrinters } from './channel.ts';
import { checkPrinters } from './check-move.ts';
import { keyPrinters } from './key.ts';
import { maintenancePrinters } from './maintenance.ts';
import { outboxPrinters } from './outbox.ts';
import type { Printers } from './printer.ts';
import { projectPrinters } from './project.ts';
import { reportPrinters } from './report.ts';
import { snapshotPrinters } from './snapshot.ts';
import { statusPagePrinters } from './status-page.ts';
import { userPrinters } from './user.ts';

export const printers: Printers = {
  ...projectPrinters,
  ...keyPrinters,
  ...channelPrinters,
  ...outboxPrinters,
  ...statusPagePrinters,
  ...maintenancePrinters,
  ...userPrinters,
  ...auditPrinters,
  ...reportPrinters,
  ...snapshotPrinters,
  ...checkPrinters,
};
