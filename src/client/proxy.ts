/**
 * Which proxy a request goes through: by HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in small letters too, as other programs have
 * it. Not here: how a request goes through one (`http-exchange`).
 * Invariant: pure; this machine itself is never reached through a proxy, which would look for itself.
 */
import { BlockList, isIP } from 'node:net';
import { isLoopback } from '../domain/words/web-address.ts';
import { KnellError } from '../lib/errors.ts';

type ProxyEnv = Readonly<Record<string, string | undefined>>;

/** Null for none. Throws a KnellError `conflict` if the variable is no URL of a proxy. */
export function proxyFor(url: URL, env: ProxyEnv): URL | null {
  const [name, text] = variableFor(url, env);
  if (text === '' || isLoopback(hostOf(url)) || isExcepted(url, env.no_proxy ?? env.NO_PROXY ?? ''))
    return null;
  const proxy = parsed(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (proxy && /^https?:$/.test(proxy.protocol)) return proxy;
  throw new KnellError('conflict', `${name} must be the URL of a proxy, such as http://proxy.example:3128`);
}

/** In a CGI program HTTP_PROXY is what a client sent as the header "Proxy". */
function variableFor({ protocol }: URL, env: ProxyEnv): readonly [name: string, text: string] {
  const upper = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const isForeign = upper === 'HTTP_PROXY' && env.REQUEST_METHOD !== undefined;
  const lower = env[upper.toLowerCase()];
  if (lower !== undefined) return [upper.toLowerCase(), lower.trim()];
  return [upper, isForeign ? '' : (env[upper]?.trim() ?? '')];
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** Entries: `*`, a name with all below it, an address, a network; each but a network may have a port. */
function isExcepted(url: URL, list: string): boolean {
  const host = hostOf(url);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*') return true;
      if (entry.includes('/')) return isWithin(host, entry);
      const [, name = '', ofPort = port] =
        /^(.*?)(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? [];
      const wanted = name.replace(/^\*?\./, '').replace(/^\[|\]$/g, '');
      return wanted !== '' && ofPort === port && (host === wanted || host.endsWith(`.${wanted}`));
    });
}

function isWithin(host: string, network: string): boolean {
  const family = isIP(host);
  const [address = '', bits = ''] = network.split('/');
  if (family === 0 || isIP(address) !== family || !/^\d{1,3}$/.test(bits)) return false;
  if (Number(bits) > (family === 6 ? 128 : 32)) return false;
  const networks = new BlockList();
  const type = family === 6 ? 'ipv6' : 'ipv4';
  networks.addSubnet(address, Number(bits), type);
  return networks.check(host, type);
}

function parsed(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
