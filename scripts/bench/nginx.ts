import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import type { BenchContext } from './benchContext.js';
import { NotMeasured } from './figure.js';

/**
 * Starts an nginx in a folder of its own; `site` is the content of its `http` block, `before` what is in front of it. It ends with the figure.
 * Resolves with its main process, whose children serve.
 *
 * @throws NotMeasured where there is no nginx.
 */
export async function startNginx(
  bench: BenchContext,
  site: string,
  url: string,
  before: readonly string[] = [],
): Promise<{ readonly pid: number }> {
  if (spawnSync('nginx', ['-v'], { stdio: 'ignore' }).status !== 0) throw new NotMeasured('there is no nginx');
  const folder = await bench.folder();
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`);
  const main = [
    ...before,
    // Its workers must be able to read the files of the bench.
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    'daemon off; worker_processes auto; pid nginx.pid; error_log stderr warn; events {}',
  ];
  await writeFile(
    join(folder, 'nginx.conf'),
    `${main.join('\n')}\nhttp { access_log off; ${places.join(' ')}\n${site}\n}`,
  );
  const child = withErrorListener(
    spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  );
  const ended = once(child, 'close');
  bench.cleanups.add(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  for (const deadline = Date.now() + 10_000; ; await sleep(50)) {
    if (await fetch(url).catch(() => null)) return { pid: child.pid as number };
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('nginx does not start');
  }
}
