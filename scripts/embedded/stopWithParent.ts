/*
 * Loaded before a child's own code (`--import`). A child whose parent has ended, even by SIGKILL, stops as after SIGTERM, and is
 * killed after nine seconds together with its own children.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { withErrorListener } from '../../shared/platform/errorListener.js';

function stop(): void {
  // The output has no reader now. A logger that waits for its reader at the end of the process would never return.
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
  // Only its IPC channel keeps a mocha worker alive.
  if (process.env['MOCHA_WORKER_ID'] === undefined) process.channel.unref();
}
