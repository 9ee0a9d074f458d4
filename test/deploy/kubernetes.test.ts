/**
 * The Helm chart and the Kustomize folder, rendered by helm and kustomize and held against the JSON schemas of Kubernetes, and a
 * Knell that is started with the variables that they give it. What cannot be had here is skipped: `scripts/kubernetes-tools.js`.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
// @ts-expect-error: a script without types.
import { findKubernetesTool } from '../../scripts/kubernetes-tools.js';
import { settings } from '../../src/config.ts';
import { type Json, Knell } from '../support/knell.ts';
import { tempDir } from '../support/temp-dirs.ts';

const scripts = fileURLToPath(new URL('../../scripts/', import.meta.url));
const chart = join(scripts, 'helm/knell');
const helm: string | null = findKubernetesTool('helm');
const kustomize: string | null = findKubernetesTool('kustomize');
const validate: string | null = findKubernetesTool('kubernetes-validate');

/** The oldest that the chart takes, and the newest that the validator has. */
const versions = ['1.25', '1.37'];

function run(program: string, ...args: string[]): { status: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return { status, text: stdout + stderr };
}

/** What `helm template` prints with these values. */
function rendered(values: object): { status: number | null; text: string } {
  const file = join(tempDir(), 'values.json');
  writeFileSync(file, JSON.stringify(values));
  return run(helm ?? '', 'template', 'knell', chart, '--kube-version', '1.31.0', '--values', file);
}

function kustomized(folder: string): { status: number | null; text: string } {
  return run(kustomize ?? '', 'build', folder);
}

function documents(text: string): Json[] {
  return parseAllDocuments(text).map((document) => document.toJS());
}

function named(text: string, kind: string, name = 'knell'): Json {
  return documents(text).find((one) => one.kind === kind && one.metadata.name === name);
}

/** What the schemas of these versions have against any of them; empty where they have nothing. */
function problems(...manifests: readonly string[]): string {
  const dir = tempDir();
  const files = manifests.map((text, index) => {
    const file = join(dir, `${index}.yaml`);
    writeFileSync(file, text);
    return file;
  });
  return versions
    .map((version) => run(validate ?? '', '--strict', '--quiet', '-k', version, ...files))
    .map(({ status, text }) => (status === 0 ? '' : text))
    .join('');
}

const everything = {
  baseUrl: 'https://knell.example.org',
  settings: { KNELL_TRUST_PROXY: '10.0.0.0/8', KNELL_API_RATE_LIMIT: 0 },
  secrets: { KNELL_MAIL_URL: 'smtp://user:pass@mail.example.org:587', KNELL_CLUSTER: 'nats://token@a' },
  existingSecret: { name: 'tokens', variables: ['KNELL_GITHUB_TOKEN'] },
  cluster: { enabled: true },
  metrics: { enabled: true },
  smtp: { service: { type: 'LoadBalancer', annotations: { a: 'b' } } },
  ingress: { enabled: true, className: 'nginx', tlsSecret: 'knell-tls' },
  persistence: { storageClass: 'fast' },
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'a', operator: 'Exists' }],
  imagePullSecrets: [{ name: 'registry' }],
};

/** A folder of an owner beside copies of ours: base/ with these components on top of it. */
function overlay(...components: string[]): string {
  const dir = tempDir();
  cpSync(join(scripts, 'kustomize'), dir, { recursive: true });
  mkdirSync(join(dir, 'own'));
  writeFileSync(
    join(dir, 'own/kustomization.yaml'),
    `resources: [../base]\ncomponents: [${components.map((name) => `../${name}`)}]\n`,
  );
  return join(dir, 'own');
}

/** The names of Knell's variables in a container, without the ending of those that name a file. */
function variables(manifest: Json): string[] {
  return manifest.spec.template.spec.containers[0].env.map(({ name }: Json) => name.replace(/_FILE$/, ''));
}
const known = Object.values(settings).map(({ variable }) => variable);

describe.skipIf(helm === null)('the chart', () => {
  test('is clean, also for helm lint --strict', () => {
    const { status, text } = run(helm ?? '', 'lint', '--strict', chart);
    expect(text).toContain('0 chart(s) failed');
    expect(status).toBe(0);
  });

  test.skipIf(validate === null)('renders what Kubernetes takes, with no values and with all of them', () => {
    expect(problems(rendered({}).text, rendered(everything).text)).toBe('');
    // What the schemas would say otherwise.
    const wrong = rendered({}).text.replace('replicas:', 'replica:');
    expect(problems(wrong)).toMatch(/replica/);
  });

  test('is one Knell, or three with NATS, and says what the three need', () => {
    expect(named(rendered({}).text, 'StatefulSet').spec.replicas).toBe(1);
    const three = named(rendered(everything).text, 'StatefulSet');
    expect(three.spec).toMatchObject({ replicas: 3, podManagementPolicy: 'Parallel' });
    expect(variables(three)).toContain('KNELL_NODE');
    expect(named(rendered(everything).text, 'PodDisruptionBudget').spec.maxUnavailable).toBe(1);
    const refused = rendered({ cluster: { enabled: true } });
    expect(refused.status).not.toBe(0);
    expect(refused.text).toContain('cluster.enabled needs KNELL_CLUSTER');
  });

  test('gives only variables that Knell knows, and refuses others', () => {
    const manifest = named(rendered(everything).text, 'StatefulSet');
    expect(variables(manifest).filter((name) => !known.includes(name))).toEqual([]);
    expect(rendered({ settings: { SNAPSHOTS: 'off' } }).status).not.toBe(0);
    expect(rendered({ unknown: 1 }).status).not.toBe(0);
  });

  test('keeps secrets in the Secret, as files, and starts Knell anew with another one', () => {
    const { text } = rendered(everything);
    const pod = JSON.stringify(named(text, 'StatefulSet'));
    expect(pod).not.toContain('user:pass');
    expect(pod).toContain('"/run/secrets/knell/KNELL_MAIL_URL"');
    expect(pod).toContain('"/run/secrets/existing/KNELL_GITHUB_TOKEN"');
    expect(named(text, 'Secret').stringData).toEqual(everything.secrets);
    const checksum = (manifests: string): string =>
      named(manifests, 'StatefulSet').spec.template.metadata.annotations['checksum/secrets'];
    const other = rendered({ ...everything, secrets: { ...everything.secrets, KNELL_MAIL_URL: 'smtp://b' } });
    expect(checksum(other.text)).not.toBe(checksum(text));
  });
});

describe.skipIf(kustomize === null)('the Kustomize folder', () => {
  test.skipIf(validate === null)('has what Kubernetes takes', () => {
    const ours = [join(scripts, 'kustomize/base'), join(scripts, 'kustomize/example')];
    const built = [...ours, overlay('cluster', 'ingress')].map(kustomized);
    expect(built.map(({ status }) => status)).toEqual([0, 0, 0]);
    expect(problems(...built.map(({ text }) => text))).toBe('');
  });

  test('the example keeps its secret in a Secret whose name follows what is in it', () => {
    const { text } = kustomized(join(scripts, 'kustomize/example'));
    const secret = documents(text).find(({ kind }) => kind === 'Secret');
    const pod = named(text, 'StatefulSet').spec.template.spec;
    expect(secret.metadata.name).toMatch(/^knell-\w+$/);
    expect(pod.volumes.find(({ name }: Json) => name === 'secrets').secret.secretName).toBe(
      secret.metadata.name,
    );
    expect(JSON.stringify(pod)).not.toContain('user:password');
    expect(variables(named(text, 'StatefulSet')).filter((name) => !known.includes(name))).toEqual([]);
  });

  test('of a cluster there are three, on different machines', () => {
    const { spec } = named(kustomized(overlay('cluster')).text, 'StatefulSet');
    expect(spec).toMatchObject({ replicas: 3, podManagementPolicy: 'Parallel' });
    expect(spec.template.spec.affinity.podAntiAffinity).toBeDefined();
  });

  test.skipIf(helm === null)('has the same pod and the same services as the chart', () => {
    const ofChart = rendered({}).text;
    const ofFolder = kustomized(join(scripts, 'kustomize/base')).text;
    const podOf = (text: string): Json => named(text, 'StatefulSet').spec.template.spec;
    expect(podOf(ofFolder)).toEqual(podOf(ofChart));
    for (const name of ['knell', 'knell-smtp', 'knell-nodes'])
      expect(named(ofFolder, 'Service', name).spec).toEqual(named(ofChart, 'Service', name).spec);
    const cluster = { cluster: { enabled: true }, secrets: { KNELL_CLUSTER: 'nats://token@a' } };
    expect(podOf(kustomized(overlay('cluster')).text).affinity).toEqual(
      podOf(rendered(cluster).text).affinity,
    );
  });
});

test.skipIf(helm === null)('a Knell with the variables of the chart answers its probes', async () => {
  const { containers } = named(rendered({}).text, 'StatefulSet').spec.template.spec;
  const env = Object.fromEntries(containers[0].env.map(({ name, value }: Json) => [name, value]));
  expect(env).toMatchObject({ KNELL_HTTP: '0.0.0.0:8000', KNELL_SMTP: '0.0.0.0:2525' });
  const here = {
    KNELL_DATA_DIR: join(tempDir(), 'knell'),
    KNELL_HTTP: '127.0.0.1:0',
    KNELL_SMTP: '127.0.0.1:0',
  };
  const knell = await Knell.start({ env: { ...env, ...here } });
  try {
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      const { status } = await fetch(`${knell.app.httpUrl}${containers[0][probe].httpGet.path}`);
      expect(status).toBe(200);
    }
  } finally {
    await knell.stop();
  }
});
