import { expect } from 'chai';
import { parse, type types } from 'hls-parser';
import { audioTracksOf, offerAudioTracks } from '../../shared/content/audioTracks.service.js';
import type { Content } from '../../shared/content/content.model.js';
import { findContent } from '../../shared/content/content.queries.js';
import { generationFolder } from '../../shared/content/storageKeys.js';
import { masterWithAudio } from '../../shared/playback/audioMaster.js';
import { playContent } from '../../shared/playback/playContent.js';
import { startApi } from '../support/api.js';
import { useFixture } from '../support/fixtures.js';
import { audioStarts, joinRendition, listedFiles, makeClip, readStored } from '../support/media.js';
import { mediaFixture } from '../support/mediaFixture.js';
import { itWith, requirements } from '../support/requirements.js';
import { makeUser } from '../support/users.js';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runVlc } from '../support/cast/players.js';

const seconds = 10;
/** A beep of a tenth of a second, at a different second of each track. */
const beepAt = (second: number): string =>
  `aevalsrc='if(between(t,${second},${second}.1),0.8*sin(880*2*PI*t),0)':s=48000:d=${seconds}`;

/** Three languages: Italian, which is the default, German in 5.1, and one without a name. */
const film = (): Promise<string> =>
  makeClip('mkv', [
    ...['-f', 'lavfi', '-i', `testsrc2=s=640x360:r=25:d=${seconds}`],
    ...[2, 4, 6].flatMap((second) => ['-f', 'lavfi', '-i', beepAt(second)]),
    ...['-map', '0', '-map', '1', '-map', '2', '-map', '3'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
    ...['-filter:a:1', 'aformat=channel_layouts=mono,pan=5.1|FL=c0|FR=c0|FC=c0|LFE=c0|BL=c0|BR=c0'],
    ...['-metadata:s:a:0', 'language=ger', '-metadata:s:a:1', 'language=ita', '-metadata:s:a:1', 'title=Italiano 5.1'],
    ...['-disposition:a:0', '0', '-disposition:a:1', 'default', '-disposition:a:2', '0'],
  ]);

describe('the audio tracks of a content', function () {
  this.timeout(120_000);
  const media = mediaFixture({ QUICK_GENERATION: 'false' });
  const content = useFixture(async () => media.make(await film()));
  const api = useFixture(() => startApi(media.ctx));

  async function stored(): Promise<{ readonly folder: string; readonly row: Content }> {
    const row = await findContent(media.ctx, content.id);
    if (!row) throw new Error('no content');
    return { folder: generationFolder(row, 1), row };
  }
  const masterText = async (): Promise<string> =>
    (await readStored(media.ctx, `${(await stored()).folder}/master.m3u8`)).toString();
  const sentMaster = async (): Promise<string> =>
    masterWithAudio(await masterText(), await audioTracksOf(media.ctx, content.id));
  const audioOf = (text: string, group: string) => {
    const { variants } = parse(text) as types.MasterPlaylist;
    const found = variants.find(({ audio }) => audio[0]?.groupId === group)?.audio ?? [];
    return found.map(({ name, language, uri, isDefault, channels }) => [name, language, uri, isDefault, channels]);
  };

  it('have the names and the default of the file, with surround sound in a separate group', async () => {
    const master = await masterText();
    expect(await sentMaster(), 'the default of the file, until the owner chooses').to.equal(master);
    expect(audioOf(master, 'audio')).to.deep.equal([
      ['Italiano 5.1', 'it', 'audio-1.m3u8', true, '2'],
      ['Deutsch', 'de', 'audio-0.m3u8', false, '2'],
      ['Audio 3', undefined, 'audio-2.m3u8', false, '2'],
    ]);
    expect(audioOf(master, 'surround')).to.deep.equal([
      ['Italiano 5.1', 'it', 'surround-1.m3u8', true, '6'],
      ['Deutsch', 'de', 'audio-0.m3u8', false, '2'],
      ['Audio 3', undefined, 'audio-2.m3u8', false, '2'],
    ]);
    const { variants } = parse(master) as types.MasterPlaylist;
    expect(variants.map(({ uri, audio }) => [uri, audio[0]?.groupId])).to.deep.equal([
      ...[
        ['240p.m3u8', 'audio'],
        ['360p.m3u8', 'audio'],
      ],
      ...[
        ['240p.m3u8', 'surround'],
        ['360p.m3u8', 'surround'],
      ],
    ]);
  });

  it('play on time, in segments aligned with those of the video', async () => {
    const { folder } = await stored();
    const video = await listedFiles(media.ctx, folder, '360p.m3u8');
    const durations = video.segments.map(({ duration }) => duration);
    for (const [name, second] of [
      ['audio-0', 2],
      ['audio-1', 4],
      ['surround-1', 4],
      ['audio-2', 6],
    ] as const) {
      const { segments, media: parts, maps } = await listedFiles(media.ctx, folder, `${name}.m3u8`);
      expect(segments.map(({ duration }) => duration)).to.deep.equal(durations);
      const starts = await audioStarts(Buffer.concat([maps[0] as Buffer, ...parts]));
      expect(starts, name).to.have.lengthOf(1);
      expect(starts[0], name).to.be.closeTo(second, 0.03);
    }
    expect((await joinRendition(media.ctx, folder, '360p')).length).to.be.above(0);
  });

  itWith(
    requirements.vlc,
    'play in VLC, the default one or the selected one, even from a playlist of an earlier version',
    async () => {
      const { folder, row } = await stored();
      const earlier = `${await masterText()}#EXT-X-STREAM-INF:BANDWIDTH=90000,CODECS="mp4a.40.2",AUDIO="audio"\naudio-1.m3u8\n`;
      await media.ctx.storage.put(`${folder}/master.m3u8`, Buffer.from(earlier), { contentType: 'x/y' });
      const { userCode } = await makeUser(media.ctx);
      const by = { publisherCode: userCode, viewerCode: userCode, kind: 'full' } as const;
      const { pathname } = new URL((await playContent(media.ctx, { content: row, ...by })).streamer);
      const listen = async (...options: string[]) => {
        const { wav, printed } = await listenWithVlc(api.url + pathname, options, 3 * seconds);
        expect(printed, 'the video').to.include('codec (h264) started');
        return audioStarts(wav);
      };
      const [byDefault, german] = await Promise.all([listen(), listen('--audio-language=de')]);
      for (const [starts, second] of [
        [byDefault, 4],
        [german, 2],
      ] as const) {
        expect(starts).to.have.lengthOf(1);
        expect(starts[0]).to.be.closeTo(second, 1);
      }
    },
  );

  it('are ordered, named and removed by the owner for the next play', async () => {
    const { row } = await stored();
    const [italian, german, third] = await audioTracksOf(media.ctx, row.id).then((tracks) =>
      [1, 0, 2].map((trackId) => tracks.find((track) => track.trackId === trackId)),
    );
    expect([italian?.channels, german?.channels, third?.language]).to.deep.equal([6, 1, 'und']);
    const tracks = await offerAudioTracks(media.ctx, row.id, [
      { trackId: 2, language: 'fr', label: 'Français' },
      { trackId: 1, language: 'it', label: 'Italiano' },
    ]);
    expect(tracks.map(({ trackId, isOffered }) => [trackId, isOffered])).to.deep.equal([
      [2, true],
      [1, true],
      [0, false],
    ]);
    const sent = masterWithAudio(await masterText(), tracks);
    expect(audioOf(sent, 'audio')).to.deep.equal([
      ['Français', 'fr', 'audio-2.m3u8', true, '2'],
      ['Italiano', 'it', 'audio-1.m3u8', false, '2'],
    ]);
    expect(audioOf(sent, 'surround').map(([, , uri]) => uri)).to.deep.equal(['audio-2.m3u8', 'surround-1.m3u8']);
  });
});

/** VLC's real-time playback: the audio as WAV, and its log about decoders. `options`, for example: `--audio-language=de`. */
async function listenWithVlc(
  address: string,
  options: readonly string[],
  maxSeconds: number,
): Promise<{ readonly wav: Buffer; readonly printed: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'video-platform-vlc-'));
  await chmod(folder, 0o777);
  try {
    const file = join(folder, 'played.wav');
    const outputs = ['--vout=dummy', '--aout=afile', `--audiofile-file=${file}`];
    const { printed } = await runVlc(['-vv', ...outputs, ...options, address, 'vlc://quit'], maxSeconds);
    return { wav: await readFile(file), printed };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
