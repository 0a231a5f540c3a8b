/*
 * Loaded before a child's own code (`--import`): a child whose parent is gone, even by SIGKILL, stops like after
 * SIGTERM, and nine seconds later at the latest, with everything it has started.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

function stop(): void {
  // Nobody reads what we print any more. A logger that waits for its reader when the process exits would wait for ever.
  for (const descriptor of [1, 2]) {
    closeSync(descriptor);
    openSync('/dev/null', 'w');
  }
  const killer = `sleep 9; kill -KILL -- -${process.pid}`;
  spawn('/bin/sh', ['-c', killer], { detached: true, stdio: 'ignore', cwd: '/', env: {} }).unref();
  process.kill(process.pid, 'SIGTERM');
}

if (process.channel) {
  process.once('disconnect', stop);
  process.channel.unref();
}
