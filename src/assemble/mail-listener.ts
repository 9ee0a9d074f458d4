/** The mail listener: with its certificate, and a thread of its own that reads mails. */
import { limits } from '../config.ts';
import type { Engine } from '../engine/contract/engine.ts';
import type { ListenAddress } from '../lib/addresses.ts';
import { certificateFiles, readCertificate, watchCertificate } from '../lib/certificate.ts';
import { MailReader } from '../smtp/mail-reader.ts';
import { createMailEndpoint } from '../smtp/mail-to-ping.ts';
import { createSmtpServer } from '../smtp/server.ts';
import type { ListenerSettings } from './listener-settings.ts';

interface MailListener {
  listen(address: ListenAddress): Promise<number>;
  stop(graceMs: number): Promise<void>;
}

export function openMail(
  engine: Pick<Engine, 'acceptPing' | 'read'>,
  { config, clock, logger, readWorkerUrl }: ListenerSettings,
): MailListener {
  const { emailDomain } = config;
  const files = certificateFiles('KNELL_SMTP_TLS', config.smtpTlsCert, config.smtpTlsKey);
  const reader = new MailReader({
    ...limits.smtp,
    logger,
    unreadable: 'it is treated as one without keywords',
    ...(readWorkerUrl ? { url: readWorkerUrl } : {}),
  });
  const endpoint = createMailEndpoint({
    engine,
    domain: emailDomain,
    readMail: (message) => reader.read(message),
    pingBodyBytesMax: limits.pingBodyBytesMax,
    mailBytesMax: limits.smtp.mailBytesMax,
    userAgentCharsMax: limits.userAgentCharsMax,
    logger,
  });
  const server = createSmtpServer({
    endpoint,
    limits: limits.smtp,
    name: emailDomain,
    certificate: files && readCertificate(files),
    proxies: config.smtpProxy ? config.trustProxy : null,
    nowMs: () => clock.nowMs(),
    logger,
  });
  const renewed = server.renew;
  const unwatch = watchCertificate({ files, logger, everyMs: limits.certificatePollMs, renewed });
  return {
    listen: (address) => server.listen(address),
    async stop(graceMs) {
      unwatch();
      await server.stop(graceMs);
      await reader.stop();
    },
  };
}
