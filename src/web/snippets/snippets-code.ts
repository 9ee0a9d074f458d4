/**
 * Snippets for programming languages: each runs a job and pings, with nothing but what comes with the language. Pure.
 * Invariant: a ping that fails does not keep the job from running.
 */
import { jobPath, type Snippet } from './snippet.ts';

export const codeSnippets: readonly Snippet[] = [
  {
    name: 'Python',
    textOf: ({ url }) => `import subprocess
import sys
import urllib.request

def ping(suffix, body=b""):
    request = urllib.request.Request("${url}" + suffix, data=body, method="POST")
    try:
        urllib.request.urlopen(request, timeout=10)
    except OSError as error:
        print("ping failed:", error, file=sys.stderr)

ping("/start")
job = subprocess.run(["${jobPath}"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
ping(f"/{job.returncode & 255}", job.stdout[-100_000:])
sys.exit(job.returncode & 255)`,
  },
  {
    name: 'Node.js',
    textOf: ({ url }) => `import { spawnSync } from 'node:child_process';

const ping = (suffix, body = '') =>
  fetch('${url}' + suffix, { method: 'POST', body, signal: AbortSignal.timeout(10_000) })
    .catch((error) => console.error('ping failed:', error.message));

await ping('/start');
const job = spawnSync('${jobPath}', { encoding: 'utf8' });
await ping(\`/\${job.status ?? 'fail'}\`, \`\${job.stdout ?? ''}\${job.stderr ?? ''}\`);
process.exitCode = job.status ?? 1;`,
  },
  {
    name: 'Go',
    textOf: ({ url }) => `package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"time"
)

func ping(suffix string, body []byte) {
	client := http.Client{Timeout: 10 * time.Second}
	answer, err := client.Post("${url}"+suffix, "text/plain", bytes.NewReader(body))
	if err != nil {
		fmt.Fprintln(os.Stderr, "ping failed:", err)
		return
	}
	answer.Body.Close()
}

func main() {
	ping("/start", nil)
	job := exec.Command("${jobPath}")
	output, _ := job.CombinedOutput()
	status := job.ProcessState.ExitCode() & 255
	ping(fmt.Sprintf("/%d", status), output)
	os.Exit(status)
}`,
  },
  {
    name: 'PHP',
    textOf: ({ url }) => `<?php
function ping(string $suffix, string $body = ''): void {
    $http = ['method' => 'POST', 'header' => 'Content-Type: text/plain', 'content' => $body, 'timeout' => 10];
    file_get_contents('${url}' . $suffix, false, stream_context_create(['http' => $http]));
}

ping('/start');
exec('${jobPath} 2>&1', $output, $status);
ping("/$status", implode("\\n", $output));
exit($status);`,
  },
  {
    name: 'Ruby',
    textOf: ({ url }) => `require "net/http"
require "open3"

def ping(suffix, body = "")
  Net::HTTP.post(URI("${url}" + suffix), body)
rescue StandardError => error
  warn "ping failed: #{error.message}"
end

ping("/start")
output, status = Open3.capture2e("${jobPath}")
ping("/#{status.exitstatus || "fail"}", output)
exit(status.exitstatus || 1)`,
  },
  {
    name: 'Java',
    textOf: ({ url }) => `import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Job {
    static void ping(String suffix, byte[] body) throws InterruptedException {
        var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        var request = HttpRequest.newBuilder(URI.create("${url}" + suffix))
            .timeout(Duration.ofSeconds(10))
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
        try {
            client.send(request, HttpResponse.BodyHandlers.discarding());
        } catch (IOException error) {
            System.err.println("ping failed: " + error);
        }
    }

    public static void main(String[] args) throws Exception {
        ping("/start", new byte[0]);
        var job = new ProcessBuilder("${jobPath}").redirectErrorStream(true).start();
        var output = job.getInputStream().readAllBytes();
        var status = job.waitFor();
        ping("/" + status, output);
        System.exit(status);
    }
}`,
  },
  {
    name: 'C#',
    textOf: ({ url }) => `using System.Diagnostics;

using var client = new HttpClient { Timeout = TimeSpan.FromSeconds(10) };

async Task Ping(string suffix, string body = "")
{
    try { await client.PostAsync("${url}" + suffix, new StringContent(body)); }
    catch (Exception error) { Console.Error.WriteLine("ping failed: " + error.Message); }
}

await Ping("/start");
var start = new ProcessStartInfo("${jobPath}") { RedirectStandardOutput = true };
using var job = Process.Start(start)!;
var output = await job.StandardOutput.ReadToEndAsync();
await job.WaitForExitAsync();
await Ping($"/{job.ExitCode & 255}", output);
return job.ExitCode;`,
  },
  {
    name: 'PowerShell',
    // This one has no retries: what comes with Windows does not know of them.
    textOf: ({ url }) => `$url = "${url}"
Invoke-RestMethod -UseBasicParsing -Method Post -Uri "$url/start" -TimeoutSec 10
$output = & "C:\\Jobs\\job.exe" 2>&1 | Out-String
$status = $LASTEXITCODE
$suffix = if ($status -ge 0 -and $status -le 255) { $status } else { "fail" }
Invoke-RestMethod -UseBasicParsing -Method Post -Uri "$url/$suffix" -Body $output -TimeoutSec 10
exit $status`,
  },
];
