/**
 * The configuration files of the NATS servers of a cluster, one for each machine: what Knell asks of them. Pure text.
 * Not here: whether a server that runs is as it should be (`store/replicated`).
 */

export interface NatsConfigOptions {
  /** Host names or addresses, under which the machines reach each other; three, or five. */
  readonly hosts: readonly string[];
  /** Token that clients and servers present to be let in. */
  readonly token: string;
  /** Whether clients and servers speak TLS, with the certificates that the files name. */
  readonly tls: boolean;
}

export interface NatsConfig {
  readonly host: string;
  /** Name of the file. */
  readonly name: string;
  readonly text: string;
}

const clientPort = 4222;
const routePort = 6222;
const monitorPort = 8222;

/** One for each host, in their order. */
export function natsConfigs({ hosts, token, tls }: NatsConfigOptions): readonly NatsConfig[] {
  const scheme = tls ? 'tls' : 'nats-route';
  const routes = hosts.map((host) => `    "${scheme}://knell:${token}@${bracketed(host)}:${routePort}"`);
  return hosts.map((host) => ({
    host,
    name: `nats-${host.replace(/[^a-z0-9.-]/gi, '-')}.conf`,
    text: `# nats-server on ${host}: start it with "nats-server -c" and this file. Version 2.12.4 or later.
server_name: "${host}"
listen: "0.0.0.0:${clientPort}"
# Knell reads here whether writes are synced. Only this machine can connect to it.
http: "127.0.0.1:${monitorPort}"

authorization {
  token: "${token}"
}
${tls ? tlsBlock('') : ''}
jetstream {
  store_dir: "/var/lib/nats"
  # A write counts when it is on disk, not when the system has taken it: what Knell has acknowledged survives a power cut.
  sync_interval: always
  max_file_store: 8GB
}

cluster {
  name: "knell"
  listen: "0.0.0.0:${routePort}"
  authorization {
    user: "knell"
    password: "${token}"
  }
${tls ? tlsBlock('  ') : ''}  routes: [
${routes.join('\n')}
  ]
}
`,
  }));
}

/** The value of KNELL_CLUSTER on every node. */
export function clusterVariable({ hosts, token, tls }: NatsConfigOptions): string {
  return hosts.map((host) => `${tls ? 'tls' : 'nats'}://${token}@${bracketed(host)}`).join(',');
}

function tlsBlock(indent: string): string {
  const files = [
    ['cert_file', 'server.pem'],
    ['key_file', 'server.key'],
    ['ca_file', 'ca.pem'],
  ] as const;
  const lines = files.map(([name, file]) => `${indent}  ${name}: "/etc/nats/${file}"\n`).join('');
  return `${indent}tls {\n${lines}${indent}}\n`;
}

/** An IPv6 address as a URL writes it. */
function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
