/*
 * Loaded before a child's own code (`--import`). A child whose parent has ended, even by SIGKILL, stops as after
 * SIGTERM, and is killed after nine seconds with everything that it has started.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { withErrorListener } from '../../shared/platform/errorListener.js';

function stop(): void {
  // Nobody reads our output now. A logger that waits for its reader at the end of the process would wait forever.
  for (const descriptor of [1, 2]) {
    closeSync(descriptor);
    openSync('/dev/null', 'w');
  }
  const killer = `sleep 9; kill -KILL -- -${process.pid}`;
  withErrorListener(spawn('/bin/sh', ['-c', killer], { detached: true, stdio: 'ignore', cwd: '/', env: {} })).unref();
  process.kill(process.pid, 'SIGTERM');
}

if (process.channel) {
  process.once('disconnect', stop);
  // A worker of mocha lives by its channel alone.
  if (process.env['MOCHA_WORKER_ID'] === undefined) process.channel.unref();
}
