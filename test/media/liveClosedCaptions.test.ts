import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { readMp4Tracks } from '../../shared/media/mp4/tracks.js';
import { liveMasterPlaylist } from '../../shared/streaming/liveMaster.js';
import { dividedSegment } from '../../workers/ingestion/recorded/dividedSegment.js';
import { captionedClip, command, pause, popOn } from '../support/closedCaptions.js';
import type { TestContext } from '../support/context.js';
import { parseMaster } from '../support/hlsPlaylist.js';
import { makeFlv, openPackaging, packageStream, type Packaged } from '../support/liveRun.js';
import { readStored, runTool } from '../support/media.js';

describe('closed captions of a live stream', function () {
  this.timeout(60_000);
  let ctx: TestContext;
  let ownerId: string;

  before(async () => {
    ({ ctx, ownerId } = await openPackaging());
  });
  after(() => ctx?.close());

  /** Decoded by ffmpeg from all that is stored of a rendition. */
  const closedCaptionsOf = async ({ segments, folder }: Packaged, rendition: string): Promise<string> => {
    const files = segments.flatMap(({ renditions }) => renditions.filter(({ name }) => name === rendition));
    const names = [files[0]?.map ?? '', ...files.map(({ file }) => file)];
    const parts = await Promise.all(names.map((name) => readStored(ctx, `live/${folder}/${name}`)));
    const path = join(await mkdtemp(join(tmpdir(), 'captions-')), 'live.mp4');
    await writeFile(path, Buffer.concat(parts));
    const printed = await runTool('ffmpeg', [
      ...['-f', 'lavfi', '-i', `movie=${path}[out+subcc]`, '-map', '0:s', '-f', 'srt', '-'],
    ]);
    await rm(dirname(path), { recursive: true });
    return printed;
  };

  it('are offered where the encoder has sent some, and are in all renditions', async () => {
    const field1 = [...pause(50), ...popOn('HELLO CC'), ...pause(30), ...command(0x14, 0x2c)];
    const field2 = [...pause(60), ...popOn('HOLA', 0x15)];
    const flv = await captionedClip({ extension: 'flv', field1, field2, seconds: 6 });
    const result = await packageStream(ctx, ownerId, Readable.from([flv]));
    const ladder = result.run.renditions ?? [];
    expect(ladder.map(({ isCopy, closedCaptions }) => [isCopy, closedCaptions])).to.deep.equal([
      [true, ['CC1', 'CC3']],
      [false, ['CC1', 'CC3']],
    ]);
    for (const { name } of ladder) expect(await closedCaptionsOf(result, name), name).to.include('HELLO CC');
    const master = liveMasterPlaylist(ladder, []);
    for (const { attributes } of parseMaster(master)) expect(attributes).to.include(',CLOSED-CAPTIONS="cc"');
    expect(master.match(/^#EXT-X-MEDIA:.*$/gm)).to.deep.equal(
      ['CC1', 'CC3'].map(
        (channel) =>
          `#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="cc",NAME="${channel}",DEFAULT=NO,AUTOSELECT=YES,INSTREAM-ID="${channel}"`,
      ),
    );
    const [rendition] = result.segments[1]?.renditions ?? [];
    const stored = (name = '') => readStored(ctx, `live/${result.folder}/${name}`);
    const [init, segment] = await Promise.all([stored(rendition?.map), stored(rendition?.file)]);
    const recorded = Buffer.concat(dividedSegment('video', Buffer.from(segment), readMp4Tracks(init), 2));
    expect([segment.includes('GA94'), recorded.includes('GA94')], 'in a recording').to.deep.equal([true, false]);
  });

  it('are not offered where the encoder sends none', async () => {
    const { run } = await packageStream(ctx, ownerId, await makeFlv());
    for (const { attributes } of parseMaster(liveMasterPlaylist(run.renditions ?? [], [])))
      expect(attributes).to.include(',CLOSED-CAPTIONS=NONE');
  });
});
