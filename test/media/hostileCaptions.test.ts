import { expect } from 'chai';
import { Caption } from '../../shared/caption/caption.model.js';
import { findContent } from '../../shared/content/content.queries.js';
import { failureMessage } from '../../shared/views/box.views.js';
import { readSourceCaptionsHandler } from '../../workers/transcoding/readSourceCaptions.js';
import { openTestContext } from '../support/context.js';
import { useFixture } from '../support/fixtures.js';
import { watchLoop } from '../support/loopWatch.js';
import { uploadClip } from '../support/media.js';
import { makeUser } from '../support/users.js';
import { jobRunOf } from '../support/workers.js';
import { deflateSync } from 'node:zlib';

/** The maximum time for which the event loop is blocked. A content's lease lasts many times longer. */
const maxSliceMs = 100;

describe('Oversized or invalid subtitles of a source', function () {
  this.timeout(300_000);
  const ctx = useFixture(() => openTestContext());

  const good = (text: string): SubtitleBlock[] => [
    [0, 900, `${text} 1`],
    [2000, 900, `${text} 2`],
  ];
  const cues = function* (count: number, text: string, everyMs = 10): Generator<SubtitleBlock> {
    for (let index = 0; index < count; index += 1) yield [index * everyMs, everyMs, text];
  };
  const read = async (subtitles: readonly MatroskaSubtitles[]) => {
    const { id: ownerId } = await makeUser(ctx);
    const id = await uploadClip(ctx, ownerId, matroskaFile(4, subtitles), 'clip.mkv');
    const run = jobRunOf(ctx, { contentId: id });
    const loop = watchLoop();
    const result = await readSourceCaptionsHandler(run).finally(() => loop.stop());
    return { id, result, sliceMs: loop.maxMs };
  };
  const textsOf = async (contentId: string) =>
    (await ctx.db.model(Caption).findAll({ where: { contentId }, order: ['stream'] })).map((caption) => [
      ...[caption.language, caption.cues.map(({ text }) => text)],
    ]);
  const messageOf = async (id: string, language: 'en' | 'fr'): Promise<string | undefined> => {
    const content = await findContent(ctx, id);
    if (!content) throw new Error('the content is missing');
    const { message } = failureMessage({ ...content, status: 'READY', hasFailed: false }, (key, values) =>
      ctx.translate(language, key, values),
    );
    return message;
  };

  it('are left out by language, are reported to the owner, and do not block the event loop', async () => {
    const paragraph = 'a\n'.repeat(30_000);
    const { id, result, sliceMs } = await read([
      { language: 'eng', cues: good('Hello') },
      { language: 'ger', cues: cues(3_500, paragraph) },
      { language: 'fre', cues: [[0, 1000, 'a\n'.repeat(450_000)]] },
      { language: 'spa', cues: cues(60_000, 'x') },
      { language: 'por', cues: cues(3_000, 'y'.repeat(1_900)) },
      { language: 'ita', cues: good('Ciao') },
    ]);
    expect(result).to.deep.equal({ streams: 6, added: 2, leftOut: 4 });
    expect(await textsOf(id)).to.deep.equal([
      ['en', ['Hello 1', 'Hello 2']],
      ['it', ['Ciao 1', 'Ciao 2']],
    ]);
    expect(await messageOf(id, 'en')).to.equal(
      'Subtitles of the file that were omitted: Deutsch (too much text), Français (a caption is too long), ' +
        'Español (too many captions), Português (too much text).',
    );
    expect(await messageOf(id, 'fr')).to.include('Deutsch (trop de texte)');
    expect(sliceMs).to.be.below(maxSliceMs);
  });

  it('lose only the cues that no player can show', async () => {
    const { id, result } = await read([
      { language: 'eng', cues: [...good('Hello'), [1000, 0, 'ends when it begins'], [3000, 500, 'x'.repeat(5000)]] },
    ]);
    expect(result).to.deep.equal({ streams: 1, added: 1, leftOut: 1 });
    expect(await textsOf(id)).to.deep.equal([['en', ['Hello 1', 'Hello 2']]]);
    expect(await messageOf(id, 'en')).to.equal('Captions of the file that cannot be shown were omitted: English (2).');
  });

  it('do not block the event loop longer at the maximum permitted size', async () => {
    const { result, sliceMs } = await read([{ language: 'eng', cues: cues(49_000, 'x'.repeat(40), 20) }]);
    expect(result).to.deep.equal({ streams: 1, added: 1, leftOut: 0 });
    expect(sliceMs).to.be.below(maxSliceMs);
  });
});

/*
 * Writes small Matroska files that ffmpeg does not write: subtitle streams with compressed blocks, so that a small
 * file contains any amount of text.
 */

/** A cue: start and duration in milliseconds, and text. */
type SubtitleBlock = readonly [startMs: number, durationMs: number, text: string];

interface MatroskaSubtitles {
  /** The language in three letters. */
  readonly language: string;
  readonly cues: Iterable<SubtitleBlock>;
}

const sampleRate = 8_000;

/** Silent PCM audio, and these subtitle streams in SubRip, compressed with zlib. */
function matroskaFile(seconds: number, subtitles: readonly MatroskaSubtitles[]): Buffer {
  const tracks = [audioTrack(), ...subtitles.map(({ language }, index) => subtitleTrack(index + 2, language))];
  const header = [
    element(0x1a45dfa3, [element(0x4282, Buffer.from('matroska')), number(0x4287, 4), number(0x4285, 2)]),
    element(0x18538067, [
      element(0x1549a966, [number(0x2ad7b1, 1_000_000), element(0x4489, double(seconds * 1000))]),
      element(0x1654ae6b, tracks),
      ...Array.from({ length: seconds }, (_, second) => cluster(second * 1000, [silence()])),
      ...subtitles.flatMap(({ cues }, index) => [...subtitleClusters(index + 2, cues)]),
    ]),
  ];
  return Buffer.concat(header);
}

function audioTrack(): Buffer {
  const audio = element(0xe1, [element(0xb5, double(sampleRate)), number(0x9f, 1), number(0x6264, 16)]);
  const codec = element(0x86, Buffer.from('A_PCM/INT/LIT'));
  return element(0xae, [number(0xd7, 1), number(0x73c5, 1), number(0x83, 2), codec, audio]);
}

function subtitleTrack(track: number, language: string): Buffer {
  const zlib = element(0x6d80, [element(0x6240, [number(0x5031, 0), element(0x5034, [number(0x4254, 0)])])]);
  const codec = element(0x86, Buffer.from('S_TEXT/UTF8'));
  const name = element(0x22b59c, Buffer.from(language));
  return element(0xae, [number(0xd7, track), number(0x73c5, track), number(0x83, 0x11), codec, name, zlib]);
}

/** One second of PCM audio. */
function silence(): Buffer {
  return element(0xa3, Buffer.concat([Buffer.from([0x81, 0, 0, 0x80]), Buffer.alloc(sampleRate * 2)]));
}

function* subtitleClusters(track: number, cues: Iterable<SubtitleBlock>): Generator<Buffer> {
  const compressed = new Map<string, Buffer>();
  for (const [startMs, durationMs, text] of cues) {
    const data = compressed.get(text) ?? deflateSync(text);
    if (text.length > 1000) compressed.set(text, data);
    const block = element(0xa1, Buffer.concat([Buffer.from([0x80 | track, 0, 0, 0]), data]));
    yield cluster(startMs, [element(0xa0, [block, number(0x9b, durationMs)])]);
  }
}

const cluster = (startMs: number, blocks: readonly Buffer[]): Buffer =>
  element(0x1f43b675, [number(0xe7, startMs), ...blocks]);

function element(id: number, content: Buffer | readonly Buffer[]): Buffer {
  const data = Buffer.isBuffer(content) ? content : Buffer.concat(content);
  const name = Buffer.from(id.toString(16), 'hex');
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE((1n << 56n) | BigInt(data.length));
  return Buffer.concat([name, size, data]);
}

function number(id: number, value: number): Buffer {
  const data = Buffer.alloc(4);
  data.writeUInt32BE(value);
  return element(id, data);
}

function double(value: number): Buffer {
  const data = Buffer.alloc(8);
  data.writeDoubleBE(value);
  return data;
}
