import { expect } from 'chai';
import { decodeAmf0, encodeAmf0 } from '../../../workers/rtmp/amf0.js';
import { EncoderTrack } from '../../../workers/rtmp/encoderTrack.js';
import { flvHeader, writeFlvTag } from '../../../shared/media/flv/index.js';
import { readMetadata } from '../../../workers/rtmp/metadata.js';
import { MediaClock } from '../../../workers/rtmp/mediaClock.js';
import { messageType, splitAggregate } from '../../../workers/rtmp/rtmpMessage.js';
import { RtmpProtocolError } from '../../../workers/rtmp/protocolError.js';

const hex = (bytes: string): Buffer => Buffer.from(bytes.replaceAll(' ', ''), 'hex');

const configuration = hex('17 00 000000 0142c01e');
const keyframe = hex('17 01 000000 00000001');
const frame = hex('27 01 000000 00000001');
const aacConfiguration = hex('af 00 1210');
const aac = hex('af 01 2100');

describe('tracks', () => {
  it('start video with its configuration and a keyframe', () => {
    const track = new EncoderTrack('video');
    const decisions = [frame, keyframe, configuration, frame, keyframe, frame].map((payload) => track.decide(payload));
    expect(decisions).to.deep.equal(['drop', 'drop', 'configuration', 'drop', 'media', 'media']);
    expect(track.codec).to.equal('H.264');
  });

  it('start AAC with its configuration, and MP3 at once', () => {
    const track = new EncoderTrack('audio');
    expect([aac, aacConfiguration, aac].map((payload) => track.decide(payload))).to.deep.equal([
      'drop',
      'configuration',
      'media',
    ]);
    expect(new EncoderTrack('audio').decide(hex('2f fffb90'))).to.equal('media');
  });

  it('name codecs that are not supported', () => {
    const unsupported: readonly (readonly ['audio' | 'video', string, string])[] = [
      ['video', '1c 00 000000 01', 'video H.265 (HEVC)'],
      ['video', '90 68766331 01', 'video H.265 (HEVC)'],
      ['video', '90 61763031 01', 'video AV1'],
      ['video', '90 61766331 01', 'video H.264 (enhanced RTMP)'],
      ['video', '96 00 68766331 01', 'video H.265 (HEVC)'],
      ['video', '22 00 000000', 'video Sorenson H.263'],
      ['video', '1f 00 000000', 'video an unknown codec'],
      ['video', '90', 'video an unknown codec'],
      ['audio', '90 4f707573', 'audio Opus'],
      ['audio', 'bf 00', 'audio Speex'],
    ];
    for (const [kind, bytes, codec] of unsupported)
      expect(new EncoderTrack(kind).decide(hex(bytes)), bytes).to.deep.equal({ unsupported: codec });
  });

  it('drop tracks in addition to a supported one and ignore messages without media', () => {
    const track = new EncoderTrack('video');
    track.decide(configuration);
    expect(track.decide(hex('96 00 68766331 01'))).to.equal('drop');
    for (const bytes of ['', '17', '57 00', '17 02 000000']) expect(track.decide(hex(bytes)), bytes).to.equal('ignore');
    for (const bytes of ['', 'af', 'af 01'])
      expect(new EncoderTrack('audio').decide(hex(bytes)), bytes).to.equal('ignore');
  });
});

describe('the media clock', () => {
  it('starts at zero, continues when timestamps wrap, and may go back slightly', () => {
    const clock = new MediaClock();
    expect(clock.lastMs).to.equal(0);
    const times = [0xfffffff0, 0xfffffffa, 0x00000004, 0x00000000, 0x00000018].map((time) => clock.advance(time));
    expect(times).to.deep.equal([0, 10, 20, 16, 40]);
    expect(clock.firstTimestamp).to.equal(0xfffffff0);
  });

  it('continues when ffmpeg timestamps wrap after 31 bits and when an encoder restarts', () => {
    const clock = new MediaClock();
    const times = [0x7ffffff0, 0x00000004, 0x7ffffffe, 0x00000018].map((time) => clock.advance(time));
    expect(times).to.deep.equal([0, 20, 14, 40]);
    clock.advance(100_000);
    const before = clock.lastMs;
    expect([0, 40].map((time) => clock.advance(time))).to.deep.equal([before, before + 40]);
  });

  it('is never negative', () => {
    const clock = new MediaClock();
    clock.advance(1000);
    expect(clock.advance(990)).to.equal(0);
    expect(clock.advance(1010)).to.equal(10);
  });
});

describe('FLV', () => {
  it('has tags with 32-bit timestamps', () => {
    const tag = Buffer.concat(writeFlvTag({ type: 9, timestampMs: 0xfedcba98, payload: Buffer.from('abc') }));
    expect(flvHeader).to.have.length(13);
    expect(tag.toString('hex')).to.equal('09000003dcba98fe0000006162630000000e');
  });

  it('has only known numbers and booleans in its metadata', () => {
    const sent = { width: 640, height: Infinity, stereo: true, encoder: 'x', framerate: '25', title: { a: 1 } };
    const metadata = readMetadata(decodeAmf0(encodeAmf0('@setDataFrame', 'onMetaData', sent)));
    expect(metadata).to.deep.equal({ width: 640, stereo: true });
    expect(readMetadata(['onTextData', new Map()])).to.equal(null);
    expect(readMetadata(['@setDataFrame'])).to.equal(null);
    expect(readMetadata([])).to.equal(null);
  });
});

const tag = (type: number, timestampMs: number, payload: Buffer) => writeFlvTag({ type, timestampMs, payload });

describe('aggregate messages', () => {
  const aggregate = (payload: Buffer, timestamp: number) =>
    splitAggregate({ type: messageType.aggregate, timestamp, streamId: 1, payload });

  it('are split into messages with times relative to the aggregate', () => {
    const payload = Buffer.concat([...tag(8, 500, aac), ...tag(9, 520, frame)]);
    expect([...aggregate(payload, 9000)]).to.deep.equal([
      { type: 8, timestamp: 9000, streamId: 1, payload: aac },
      { type: 9, timestamp: 9020, streamId: 1, payload: frame },
    ]);
  });

  it('are rejected if they are truncated or nested', () => {
    const [header, payload] = tag(8, 0, Buffer.alloc(100));
    for (const bytes of [
      header.subarray(0, 5),
      Buffer.concat([header, payload.subarray(1)]),
      ...tag(22, 0, aac).slice(0, 1),
    ])
      expect(() => [...aggregate(bytes, 0)]).to.throw(RtmpProtocolError);
  });

  it('contain at most a second of media', () => {
    const many = (count: number): Buffer => Buffer.concat(Array.from({ length: count }, () => tag(8, 0, aac)).flat());
    expect([...aggregate(many(1000), 0)]).to.have.length(1000);
    expect(() => [...aggregate(many(1001), 0)]).to.throw(RtmpProtocolError);
  });
});
