import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../embedded/freePort.js';
import type { BenchContext } from './benchContext.js';
import { installPackages, type Packages } from './packages.js';

/** A running channel-engine of Eyevinn. */
export interface ChannelEngine {
  /** Media playlists of all its channels, in one rendition. */
  readonly playlists: readonly string[];
  readonly pid: number;
}

/** What it needs as released; its own list of versions is open, and the newest ones do not work together. */
const packages: Packages = {
  dependencies: { 'eyevinn-channel-engine': '3.0.5' },
  overrides: { restify: '11.1.0', '@eyevinn/hls-vodtolive': '1.17.1' },
};
const bandwidths = [5_500_000, 3_000_000, 1_500_000, 900_000, 500_000];

/**
 * Installs channel-engine into a temporary folder, and starts it with so many channels.
 *
 * @throws NotMeasured where it cannot be installed.
 */
export async function startChannelEngine(
  bench: BenchContext,
  environment: Readonly<Record<string, string>>,
  channels: number,
): Promise<ChannelEngine> {
  const folder = await installPackages(bench, packages);
  const vodUrl = await serveVod(bench, environment);
  const port = await freePort();
  const { pid } = await bench.start('scripts/bench/reference/channelEngine.js', {
    ...environment,
    ...{ PORT: String(port), PACKAGES: folder, CHANNELS: String(channels), VOD_URL: vodUrl },
  });
  const playlists = Array.from(
    { length: channels },
    (_, index) => `http://127.0.0.1:${port}/live/master${bandwidths[1]}.m3u8%3Bsession=channel${index}`,
  );
  for (const playlist of playlists) await untilServed(playlist);
  return { playlists, pid };
}

/** An hour in segments of four seconds, as playlists; channel-engine reads no segments. */
async function serveVod(bench: BenchContext, environment: Readonly<Record<string, string>>): Promise<string> {
  const folder = await bench.folder();
  await mkdir(folder, { recursive: true });
  const variants = bandwidths.map((bandwidth) => `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth}\n${bandwidth}.m3u8`);
  await writeFile(join(folder, 'master.m3u8'), `#EXTM3U\n${variants.join('\n')}\n`);
  for (const bandwidth of bandwidths) {
    const segments = Array.from({ length: 900 }, (_, index) => `#EXTINF:4.000,\n${bandwidth}/segment-${index}.ts`);
    const head =
      '#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-PLAYLIST-TYPE:VOD';
    await writeFile(join(folder, `${bandwidth}.m3u8`), `${head}\n${segments.join('\n')}\n#EXT-X-ENDLIST\n`);
  }
  const port = await freePort();
  await bench.start('scripts/bench/reference/staticFile.js', { ...environment, PORT: String(port), FOLDER: folder });
  return `http://127.0.0.1:${port}/master.m3u8`;
}

async function untilServed(address: string): Promise<void> {
  for (const deadline = Date.now() + 60_000; ; await sleep(200)) {
    const response = await fetch(address).catch(() => null);
    if (response?.status === 200 && (await response.text()).includes('#EXTINF')) return;
    if (Date.now() > deadline) throw new Error(`${address} responds ${response?.status ?? 'nothing'}`);
  }
}
