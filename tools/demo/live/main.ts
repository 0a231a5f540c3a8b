import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../../shared/platform/config.js';
import type { Shutdown } from '../../../scripts/embedded/shutdown.js';
import { StartupError } from '../../../scripts/embedded/startupError.js';
import { onRunningStart } from '../runningStart.js';
import type { DemoRun } from '../../../scripts/sample/uploadedClip.js';
import { prepareBroadcast, type Broadcast } from './broadcast.js';
import { publishTestPicture } from './testPicture.js';

const onAirWithinMs = 30_000;

/**
 * `npm run demo:live [seconds]`: publishes a test picture to a channel of the demo user on the running `npm start`, until Ctrl-C or
 * for a number of seconds. Channel, live password and event are created over the HTTP interface, as any client can do.
 */
async function demonstrate(run: DemoRun, shutdown: Shutdown): Promise<string> {
  const { config, ffmpegPath, terminal } = run;
  const seconds = readSeconds(process.argv[2]);
  const broadcast = await prepareBroadcast(run);
  const { protocol, host, pathname, username } = new URL(broadcast.publishUrl);
  terminal.say(`Publishing to ${protocol}//${host}${pathname} as ${username} ...`);
  const folder = await mkdtemp(join(config.dataDir, 'demo-live-'));
  shutdown.add(() => rm(folder, { recursive: true, force: true }));
  const publication = await publishTestPicture({ ffmpegPath, folder, broadcast, seconds, terminal });
  shutdown.add(() => publication.stop());
  const watching = publication.begun.then(() => untilOnAir(broadcast, shutdown.signal));
  void watching.then(
    () => terminal.print(onAir(config, broadcast)),
    (error: unknown) => (shutdown.signal.aborted ? undefined : shutdown.fail(error)),
  );
  await publication.ended;
  return 'The broadcast is over.';
}

function onAir({ service }: Config, { channelId }: Broadcast): string {
  const lines = [
    `  On air. Watch at  ${service.publicUrl}/embed/?live=${channelId}`,
    `  VLC, mpv          ${service.publicUrl}/api/public/live/channel/${channelId}/playlist.m3u8`,
    '  Ctrl-C ends it.',
  ];
  return ['', ...lines, ''].join('\n');
}

async function untilOnAir(broadcast: Broadcast, signal: AbortSignal): Promise<void> {
  for (const deadline = Date.now() + onAirWithinMs; Date.now() < deadline;) {
    if (await broadcast.isOnAir()) return;
    await sleep(500, undefined, { signal });
  }
  throw new StartupError('The event is not on air: see the output of npm start.');
}

function readSeconds(text: string | undefined): number | null {
  if (text === undefined) return null;
  const seconds = Number(text);
  if (!Number.isInteger(seconds) || seconds < 1) throw new StartupError('Usage: npm run demo:live [-- seconds]');
  return seconds;
}

await onRunningStart(demonstrate);
