// Makes available what checks the manifests for Kubernetes: helm and kustomize, from PATH or ~/.cache/knell-test or built there with
// Go, once; and kubernetes-validate, which brings the JSON schemas of Kubernetes, from PyPI. Run by itself, it says in a line each
// what there is; where one is missing, the tests that need it are skipped.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = join(homedir(), '.cache', 'knell-test');
const buildMs = 10 * 60_000;
const venv = join(cache, 'kubernetes-validate');
const schemas = 'kubernetes-validate==1.37.0';

const tools = {
  helm: { asked: ['version'], module: 'helm.sh/helm/v3/cmd/helm@v3.16.4' },
  kustomize: { asked: ['version'], module: 'sigs.k8s.io/kustomize/kustomize/v5@v5.5.0' },
  'kubernetes-validate': { asked: ['--version'], at: join(venv, 'bin', 'kubernetes-validate') },
};

/** The path of a tool of that name; null where there is none. */
export function findKubernetesTool(name) {
  const { asked, at = join(cache, name) } = tools[name];
  return [name, at].find((one) => spawnSync(one, asked).status === 0) ?? null;
}

/** Installs the tool, which takes up to some minutes. Null where it cannot be had. */
function installKubernetesTool(name) {
  mkdirSync(cache, { recursive: true });
  const options = { stdio: ['ignore', 'ignore', 'inherit'], timeout: buildMs };
  const { module } = tools[name];
  if (module) {
    const go = ['go', '/usr/local/go/bin/go'].find((one) => spawnSync(one, ['version']).status === 0);
    if (go) spawnSync(go, ['install', module], { ...options, env: { ...process.env, GOBIN: cache } });
  } else if (spawnSync('python3', ['-m', 'venv', venv], options).status === 0) {
    spawnSync(join(venv, 'bin', 'pip'), ['install', '--quiet', schemas], options);
  }
  return findKubernetesTool(name);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const name of Object.keys(tools)) {
    const file = findKubernetesTool(name) ?? installKubernetesTool(name);
    console.log(file ? `${name}: ${file}` : `skipped: there is no ${name}, and none can be installed`);
  }
