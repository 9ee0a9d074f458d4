/** Snippets for jobs that are described in YAML: workflows, cluster jobs, playbooks. Pure. */
import { curl, jobPath, type Snippet } from './snippet.ts';

export const yamlSnippets: readonly Snippet[] = [
  {
    name: 'GitHub Actions',
    textOf: ({ url, cron }) => `on:
  schedule:
    - cron: "${cron}"
jobs:
  job:
    runs-on: ubuntu-latest
    steps:
      - run: ${curl} ${url}/start
      - uses: actions/checkout@v4
      - run: ./job
      - if: always()
        run: ${curl} ${url}/\${{ job.status == 'success' && '0' || 'fail' }}`,
  },
  {
    name: 'Kubernetes',
    textOf: ({ url, cron, tz }) => `apiVersion: batch/v1
kind: CronJob
metadata:
  name: job
spec:
  schedule: "${cron}"
  timeZone: ${tz}
  jobTemplate:
    spec:
      backoffLimit: 0
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: job
              image: registry.example.org/job
              command:
                - /bin/sh
                - -c
                - |
                  ${curl} ${url}/start
                  ${jobPath}
                  status=$?
                  ${curl} ${url}/$status
                  exit $status`,
  },
  {
    name: 'Ansible',
    textOf: ({ url }) => `- name: Report the start
  ansible.builtin.uri:
    url: ${url}/start
- name: Run the job
  block:
    - ansible.builtin.command: ${jobPath}
    - name: Report success
      ansible.builtin.uri:
        url: ${url}
  rescue:
    - name: Report failure
      ansible.builtin.uri:
        url: ${url}/fail
    - ansible.builtin.fail:
        msg: The job failed`,
  },
];
