import { expect } from 'chai';
import { parse, type types } from 'hls-parser';
import { ChunkRecord } from '../../shared/content/chunk.model.js';
import { qualityOf } from '../../shared/content/quality.queries.js';
import { generationFolder, previewFolder } from '../../shared/content/storageKeys.js';
import { usageOf } from '../../shared/license/usage.service.js';
import { syncRecording } from '../../shared/live/recording.lifecycle.js';
import { alignedCaptionParts } from '../../shared/playback/captions/captionPlaylist.queries.js';
import { playContent } from '../../shared/playback/playContent.js';
import { readMp4Tracks } from '../../shared/media/mp4/index.js';
import { User } from '../../shared/user/user.model.js';
import { expectKnownSizes } from '../support/rows.js';
import { brightnesses, listedFiles, packetsOf, readStored, runTool, storedKeys } from '../support/media.js';
import {
  broadcastMedia,
  makeRecordedEvent,
  makeSession,
  samplesIn,
  storeRun,
  type BroadcastMedia,
} from '../support/recordings.js';
import { RecordingFixture } from '../support/live/recordingFixture.js';

/** An initialisation segment and a segment. */
type Published = readonly [Buffer, Buffer];

const quick = { QUICK_GENERATION: 'true' };

describe('the quick generation of a recording', function () {
  this.timeout(60_000);
  const recordings = RecordingFixture.open(async () => quick);

  it('consists of the live segments of two runs, a dropped rendition and another session', async () => {
    const { ctx } = recordings;
    const event = await makeRecordedEvent(ctx, 60);
    await ctx.db.model(User).update({ transcoderNotifyEnabled: true }, { where: { id: event.ownerId } });
    await ctx.db.transaction((tx) => syncRecording(ctx, tx, event));
    const at = (seconds: number): Date => new Date(event.startsAt.getTime() + seconds * 1000);
    const high = await broadcastMedia({ seconds: 8, markAt: 2, size: '320x180' });
    const low = await broadcastMedia({ seconds: 8, markAt: 2 });
    const later = await broadcastMedia({ seconds: 5, markAt: 1, size: '240x136', sampleRate: 44_100 });
    const session = await makeSession(ctx, event, at(0));
    await storeRun(ctx, event, session, at(1), [
      { name: '180p', media: high, segments: 2 },
      { name: '90p', media: low },
    ]);
    await storeRun(ctx, event, session, at(20), [{ name: '136p', media: later }]);
    await storeRun(ctx, event, await makeSession(ctx, event, at(40)), at(40), [
      { name: '180p', media: high },
      { name: '90p', media: low },
    ]);
    ctx.clock.advance(120_000);
    await recordings.run(event);
    const pending = await recordings.contentOf(event);
    expect(pending).to.include({ state: 'PENDING', quick: true, recorded: true, generation: 1 });
    expect(await recordings.isRetained(event)).to.equal(true);
    expect(await recordings.ingest(event)).to.deep.equal({ copied: 4 });

    const content = await recordings.contentOf(event);
    expect(content).to.include({ state: 'READY', readyGeneration: 1, readyGrid: null, generation: 2, quick: false });
    expect(content).to.include({ durationMs: 21_000, width: 320, height: 180, hasVideo: true, hasAudio: true });
    expect(await recordings.isRetained(event)).to.equal(false);
    const folder = generationFolder(content, 1);
    const names = ['90p', '136p', '180p'];
    const ofRun = (media: BroadcastMedia, from = 0, to = 9): Published[] =>
      media.segments.slice(from, to).map((one) => [media.init, one.media]);
    const expected: Record<string, Published[]> = {
      '180p': [...ofRun(high, 0, 2), ...ofRun(low, 2), ...ofRun(later), ...ofRun(high)],
      '136p': [...ofRun(low), ...ofRun(later), ...ofRun(low)],
      '90p': [...ofRun(low), ...ofRun(later), ...ofRun(low)],
      // The numbers are equal in all renditions.
      'audio-0': [...ofRun(high, 0, 2), ...ofRun(low, 2), ...ofRun(later), ...ofRun(high)],
    };
    for (const name of [...names, 'audio-0']) {
      const { segments, endlist, media, maps, targetDuration } = await listedFiles(ctx, folder, `${name}-a1.m3u8`);
      expect({ endlist, targetDuration }).to.deep.equal({ endlist: true, targetDuration: 2 });
      const kind = name === 'audio-0' ? 'audio' : 'video';
      const copied = media.map((bytes, index) => samplesIn(maps[index] as Buffer, bytes, kind));
      const published = expected[name]?.map(([init, bytes]) => samplesIn(init, bytes, kind));
      expect(copied, name).to.deep.equal(published);
      const breaks = segments.flatMap(({ discontinuity }, index) => (discontinuity ? index : []));
      expect(breaks, name).to.deep.equal([2, 4, 7]);
      for (const map of maps) expect(readMp4Tracks(map).map((track) => track.kind)).to.deep.equal([kind]);
    }
    const master = parse((await readStored(ctx, `${folder}/master-a1.m3u8`)).toString()) as types.MasterPlaylist;
    const variants = master.variants.map(({ uri, resolution, codecs }) => [
      uri,
      resolution?.width,
      codecs?.split(',')[1],
    ]);
    expect(master.variants[0]?.audio.map(({ uri, language, name }) => [uri, language, name])).to.deep.equal([
      ['audio-0-a1.m3u8', undefined, 'Original'],
    ]);
    expect(variants).to.have.deep.members([
      ['90p-a1.m3u8', 160, 'mp4a.40.2'],
      ['136p-a1.m3u8', 240, 'mp4a.40.2'],
      ['180p-a1.m3u8', 320, 'mp4a.40.2'],
    ]);
    const quality = (await qualityOf(ctx, [content.id])).get(content.id);
    expect(quality?.renditions).to.deep.equal([
      { width: 160, height: 90 },
      { width: 240, height: 136 },
      { width: 320, height: 180 },
    ]);
    expect(quality?.preparing).to.equal(0);
    expect((await recordings.mailsTo(event)).map(({ key }) => key)).to.deep.equal(['contentReady']);
  });

  it('is silent if a run had no audio, and continues with the audio of the next run', async () => {
    const { ctx } = recordings;
    const event = await recordings.recorded(0);
    const mute = await broadcastMedia({ seconds: 5, markAt: 1, isMute: true });
    for (const [second, media] of [
      [20, mute],
      [40, recordings.tenSeconds],
    ] as const) {
      const startsAt = new Date(event.startsAt.getTime() + second * 1000);
      await storeRun(ctx, event, await makeSession(ctx, event, startsAt), startsAt, media);
    }
    await recordings.run(event);
    expect(await recordings.ingest(event)).to.deep.equal({ copied: 3 });
    const folder = generationFolder(await recordings.contentOf(event), 1);
    const video = await listedFiles(ctx, folder, 'top-a1.m3u8');
    const audio = await listedFiles(ctx, folder, 'audio-0-a1.m3u8');
    const breaksOf = ({ segments }: typeof video) => segments.map(({ discontinuity }) => discontinuity);
    expect(breaksOf(audio)).to.deep.equal(breaksOf(video));
    const silent = Buffer.concat([audio.maps[5] as Buffer, ...audio.media.slice(5, 8)]);
    const [first] = await packetsOf(silent, 'a');
    // `broadcastMedia`: each run begins at 1 s.
    expect((first?.pts ?? 0) / 48_000).to.be.within(1, 1 + 1024 / 48_000);
    const decoded = await runTool('ffmpeg', ['-xerror', '-i', '-', '-f', 's16le', '-'], silent);
    expect(decoded.length / 2 / 2 / 48_000).to.be.closeTo(5, 0.05);
    expect(new Set(decoded)).to.deep.equal(new Set(['\0']));
  });

  it('counts its stored files, and its duration once', async () => {
    const { ctx } = recordings;
    const event = await recordings.recorded();
    await recordings.run(event);
    const before = await usageOf(ctx, event.ownerId);
    await recordings.ingest(event);
    const content = await recordings.contentOf(event);
    let stored = 0;
    for await (const { bytes } of ctx.storage.list(generationFolder(content, 1))) stored += bytes;
    const usage = await usageOf(ctx, event.ownerId);
    expect(content.renditionBytes).to.equal(stored);
    await expectKnownSizes(ctx, generationFolder(content, 1));
    expect(usage.renditionBytes).to.equal(stored);
    expect(usage.thumbnailBytes).to.equal(content.thumbnailBytes).and.to.be.above(100);
    expect(content.mediaCounted).to.equal(true);
    // 10 s in one rendition: the ones of the future full generation.
    expect(usage.mediaSeconds - before.mediaSeconds).to.be.within(8, 11);
    expect(await ctx.db.model(ChunkRecord).count({ where: { contentId: content.id, state: 'DONE' } })).to.equal(1);
  });

  it('has captions at their times on each run’s clock, and a preview of the segments that end within 15 s', async () => {
    const { ctx } = recordings;
    const event = await recordings.recorded(0);
    const startsAt = new Date(event.startsAt.getTime() + 20_000);
    await storeRun(ctx, event, await makeSession(ctx, event, startsAt), startsAt, recordings.tenSeconds);
    await recordings.run(event);
    await recordings.ingest(event);
    const content = await recordings.contentOf(event);
    const folder = generationFolder(content, 1);
    const parts = await alignedCaptionParts(ctx, `${folder}/top-a1.m3u8`);
    const { segments } = await listedFiles(ctx, folder, 'top-a1.m3u8');
    const joins = segments.flatMap(({ discontinuity }, index) => (discontinuity || index === 0 ? index : []));
    expect(parts).to.have.lengthOf(joins.length).and.lengthOf.at.least(2);
    for (const [index, first] of joins.entries()) {
      const before = segments.slice(0, first).reduce((sum, { duration }) => sum + duration, 0);
      const start = Math.round(before * 1000);
      expect(parts[index]).to.include({ fromMs: start, localMs: start, isDiscontinuous: index > 0 });
      // `broadcastMedia`: each run begins at 1 s.
      expect(parts[index]?.mpegTicks).to.be.closeTo(90_000, 90);
    }

    const preview = previewFolder(content, 1);
    const video = await listedFiles(ctx, preview, 'top-a1.m3u8');
    const audio = await listedFiles(ctx, preview, 'audio-0-a1.m3u8');
    expect(video.segments.map(({ duration }) => Math.round(duration))).to.deep.equal([2, 2, 2, 2, 2, 2, 2]);
    expect(video.segments.findIndex(({ discontinuity }) => discontinuity)).to.equal(5);
    const audioOptions = ['-i', '-', '-ac', '1', '-ar', '8000', '-f', 'u8', '-'];
    const seconds = { video: 0, audio: 0 };
    for (const [from, to] of [
      [0, 5],
      [5, 7],
    ] as const) {
      const joined = ({ maps, media }: typeof video): Buffer =>
        Buffer.concat([maps[from] as Buffer, ...media.slice(from, to)]);
      seconds.video += (await brightnesses(joined(video))).length / 25;
      seconds.audio += (await runTool('ffmpeg', audioOptions, joined(audio))).length / 8000;
    }
    expect(seconds.video).to.equal(14);
    expect(seconds.audio).to.be.within(13.8, 14.2);
    const played = await playContent(ctx, { content, kind: 'preview', publisherCode: 'anyone', viewerCode: null });
    expect(played.file).to.equal(`${preview}/master-a1.m3u8`);
    const kept = (await storedKeys(ctx, preview)).filter((key) => key.endsWith('.m4s'));
    expect(kept).to.have.length(14);
  });
});
