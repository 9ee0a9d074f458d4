/** Each text of the guide for routers and NAS that a shell or a library can run: those of RouterOS and FreeBSD need theirs. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { asCron, asScript, type Ended, ended, tryGuide, withJob } from '../support/guides.ts';
import { tempDir } from '../support/temp-dirs.ts';

/** A device that is up: there is nothing that could fail. */
const heartbeat = { works: ['success'], fails: ['success'] };
const byStatus = { works: ['success'], fails: ['fail'] };

const busybox = tempDir();
for (const name of ['wget', 'sleep', 'uptime']) symlinkSync('/usr/bin/busybox', join(busybox, name));

const withoutPath = (text: string): string => text.replace('/usr/local/bin/curl', 'curl');

tryGuide(
  'guide-routers-and-nas',
  {
    // Its wget is neither that of GNU nor of busybox; the options of this line are the same.
    OpenWrt: { needs: 'wget', run: (text) => asCron(text), ...heartbeat },
    'OpenWrt 2': {
      needs: '/usr/bin/busybox',
      run: (text) => asScript('sh', text, { folder: busybox }),
      ...heartbeat,
    },
    pfSense: { run: (text) => asScript('sh', withoutPath(text)), ...heartbeat },
    OPNsense: {
      run: (text) => ended('sh', ['-c', withoutPath(/^command:(.*)$/m.exec(text)?.[1] ?? '')]),
      ...heartbeat,
    },
    'Synology DSM': { run: (text, works) => asScript('sh', withJob(text, works)) },
    'QNAP QTS': {
      run: async (text) => {
        const crontab = join(tempDir(), 'crontab');
        const [add = ''] = text.replaceAll('/etc/config/crontab', crontab).split('\n');
        const { stdout } = await asScript('sh', `${add}\ncat ${crontab}`);
        return asCron(stdout.trim());
      },
      ...heartbeat,
    },
    'TrueNAS SCALE': { run: (text, works) => asScript('sh', withJob(text, works)), ...byStatus },
    Unraid: { run: (text, works) => asScript('bash', withJob(text, works)) },
    'Proxmox VE': { run: (text) => asCron(text), ...heartbeat },
    'Home Assistant': {
      run: async (text) => {
        const { rest_command: commands, automation } = parse(text);
        const [, name] = automation[0].actions[0].action.split('.');
        const { url, method } = commands[name];
        return (await fetch(url, { method, body: 'on' })).status;
      },
      ...heartbeat,
    },
    ESPHome: {
      run: async (text) => {
        const [{ then }] = parse(text).interval;
        return (await fetch(then[0]['http_request.get'].url)).status;
      },
      ...heartbeat,
    },
    'UPS and monitoring daemons': {
      run: async (text, works): Promise<Ended> => {
        await asScript('sh', text, { env: { NOTIFYTYPE: works ? 'COMMBAD' : 'REPLBATT' } });
        return asScript('sh', text, { env: { NOTIFYTYPE: works ? 'ONLINE' : 'ONBATT' } });
      },
      ...{ works: ['fail', 'success'], fails: ['log', 'fail'] },
    },
  },
  {
    'MikroTik RouterOS': 'needs RouterOS',
    'MikroTik RouterOS 2': 'needs RouterOS',
    'pfSense 2': 'needs FreeBSD',
  },
);
