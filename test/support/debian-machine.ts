/** A machine as a folder: files of Debian's packages (`vectors/discover`), its timers enabled, and what a test adds. */
import { chmodSync, cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tempDir } from './temp-dirs.ts';

const debian = fileURLToPath(new URL('../vectors/discover/debian', import.meta.url));

export class DebianMachine {
  readonly root = tempDir();

  /** `hasPackages`: with the files of Debian's packages; without them it has only what is added. */
  constructor({ hasPackages = true } = {}) {
    if (hasPackages) cpSync(debian, this.root, { recursive: true });
    this.add('/etc/hostname', 'web1\n');
    this.add('/etc/timezone', 'Europe/Riga\n');
  }

  pathOf(file: string): string {
    return join(this.root, file);
  }

  add(file: string, text: string, mode = 0o644): void {
    mkdirSync(dirname(this.pathOf(file)), { recursive: true });
    writeFileSync(this.pathOf(file), text);
    chmodSync(this.pathOf(file), mode);
  }

  enable(...units: readonly string[]): void {
    const wants = this.pathOf('/etc/systemd/system/timers.target.wants');
    mkdirSync(wants, { recursive: true });
    for (const unit of units) symlinkSync(`/lib/systemd/system/${unit}`, join(wants, unit));
  }

  enableAll(): void {
    this.enable(...readdirSync(this.pathOf('/lib/systemd/system')).filter((name) => name.endsWith('.timer')));
  }
}
