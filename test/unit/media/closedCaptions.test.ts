import { expect } from 'chai';
import { ChannelDivider } from '../../../shared/media/closedCaptions/captionChannels.js';
import { CaptionDecoder, type DecodedCaption } from '../../../shared/media/closedCaptions/captionDecoder.js';
import {
  captionsOfFrame,
  frameCaptionsIn,
  hideClosedCaptions,
} from '../../../shared/media/closedCaptions/captionPairs.js';
import {
  captionUnit,
  captionUserData,
  characters,
  command,
  pause,
  popOn,
  type Pair,
} from '../../support/closedCaptions.js';

/** One byte pair for each frame of 40 ms. */
function decoded(pairs: readonly Pair[]): DecodedCaption[] {
  const captions: DecodedCaption[] = [];
  const decoder = new CaptionDecoder((caption) => captions.push(caption));
  for (const [frame, [first, second]] of pairs.entries())
    if (first > 0 || second > 0) decoder.add({ first, second }, frame * 40);
  decoder.end(pairs.length * 40);
  return captions;
}

const shownOf = (pairs: readonly Pair[]) =>
  decoded(pairs).map(({ startMs, endMs, lines }) => [startMs, endMs, lines.join('|')]);
const [rollUp, paintOn, erase, back] = [
  command(0x14, 0x25),
  command(0x14, 0x29),
  command(0x14, 0x2c),
  command(0x14, 0x21),
];
const carriageReturn = command(0x14, 0x2d);

describe('Closed captions', () => {
  describe('decoding', () => {
    const cases: readonly (readonly [string, readonly Pair[], readonly unknown[]])[] = [
      ['shows a pop-on caption until it is erased', [...popOn('Hi'), ...pause(10), ...erase], [[280, 760, 'Hi']]],
      [
        'replaces a pop-on caption with the next one, and shows the last one until the end',
        [...popOn('A'), ...popOn('B'), ...pause(5)],
        [
          [280, 640, 'A'],
          [640, 920, 'B'],
        ],
      ],
      [
        'moves rolled-up lines and shows complete lines only',
        [
          ...rollUp,
          ...characters('ONE'),
          ...carriageReturn,
          ...characters('TWO'),
          ...carriageReturn,
          ...characters('3'),
          ...erase,
        ],
        [
          [80, 160, 'ONE'],
          [160, 320, 'ONE|TWO'],
          [320, 440, 'TWO|3'],
        ],
      ],
      [
        'erases a pop-on caption when a roll-up caption begins',
        [...popOn('A'), ...pause(2), ...rollUp, ...characters('NEW'), ...erase],
        [
          [280, 440, 'A'],
          [520, 600, 'NEW'],
        ],
      ],
      [
        'shows paint-on text from its first characters',
        [...paintOn, ...characters('PAINT'), ...erase],
        [[80, 200, 'PAINT']],
      ],
      [
        'decodes special characters, replaces the character before an extended one, and handles backspace',
        [
          ...paintOn,
          ...characters('E'),
          ...command(0x12, 0x21),
          ...command(0x11, 0x37),
          ...characters('*X'),
          ...back,
          ...erase,
        ],
        [[80, 400, 'É♪á']],
      ],
    ];
    for (const [name, pairs, expected] of cases) it(name, () => expect(shownOf(pairs)).to.deep.equal(expected));

    it('notes whether a caption is at the top', () => {
      const at = (second: number) => decoded([...paintOn, ...command(0x11, second), ...characters('A'), ...erase]);
      expect(at(0x40)).to.deep.include({ startMs: 160, endMs: 200, lines: ['A'], isAtTop: true });
      expect(decoded([...popOn('A'), ...erase])[0]).to.include({ isAtTop: false });
    });

    it('keeps every row and column within the screen', () => {
      const long = characters('x'.repeat(200));
      const [caption] = decoded([...paintOn, ...command(0x17, 0x23), ...long, ...erase]);
      expect(caption?.lines).to.deep.equal(['x'.repeat(29)]);
    });
  });

  it('belong to one of the two channels of a field, not to text mode, XDS or a channel that has not begun', () => {
    const divider = new ChannelDivider();
    const channels = (field: 1 | 2, pairs: readonly Pair[]) =>
      pairs.map(([first, second]) => divider.channelOf({ field, first, second }));
    const start: Pair = [0x14, 0x20];
    expect(channels(1, [[0x41, 0x41], start, [0x41, 0x41]])).to.deep.equal([null, 'CC1', 'CC1']);
    expect(channels(1, [[0x1c, 0x25], [0x41, 0], start])).to.deep.equal(['CC2', 'CC2', 'CC1']);
    expect(
      channels(2, [
        [0x15, 0x29],
        [0x01, 0x03],
        [0x41, 0],
      ]),
    ).to.deep.equal(['CC3', null, null]);
    expect(
      channels(2, [
        [0x1d, 0x2f],
        [0x41, 0],
      ]),
    ).to.deep.equal(['CC4', 'CC4']);
    expect(channels(1, [[0x14, 0x2a], [0x41, 0], start])).to.deep.equal([null, null, 'CC1']);
  });

  it('are read from user data after removal of emulation prevention and parity', () => {
    const data = captionUserData([[0x14, 0x20], undefined]);
    expect(frameCaptionsIn(data)).to.deep.equal({
      pairs: [{ field: 1, first: 0x14, second: 0x20 }],
      hasDigitalService: false,
    });
    const triples = [0, 0, 3, 0, 0xfc, 0x94, 0x20, 0xff, 0x02, 0x21];
    const escaped = Buffer.from([...data.subarray(0, 5), 0xc3, 0xff, ...triples, 0xff]);
    expect(frameCaptionsIn(escaped)).to.deep.equal({
      pairs: [{ field: 1, first: 0x14, second: 0x20 }],
      hasDigitalService: true,
    });
    expect(frameCaptionsIn(data.subarray(0, 8)).pairs).to.deep.equal([]);
  });

  it('are searched for in the first 64 NAL units of a frame that consists of SEI only', () => {
    const frame = Buffer.alloc(200_000, Buffer.from([1, 6]));
    expect(captionsOfFrame(frame, 1)).to.have.lengthOf(64);
  });

  it('are blanked in a frame without changes to its other bytes', () => {
    const units = [Buffer.from([6, 6, 1, 0xc4, 0x80]), captionUnit([[0x14, 0x20]]), Buffer.from([0x65, 1, 2, 3])];
    const frame = Buffer.concat(units.flatMap((unit) => [Buffer.from([0, 0, 0, unit.length]), unit]));
    expect(captionsOfFrame(frame, 4).flatMap(({ pairs }) => pairs)).to.have.lengthOf(1);
    const hidden = Buffer.from(frame);
    hideClosedCaptions(hidden, 4);
    expect(captionsOfFrame(hidden, 4).flatMap(({ pairs }) => pairs)).to.deep.equal([]);
    const changed = [...frame.keys()].filter((at) => hidden[at] !== frame[at]);
    expect(changed).to.have.lengthOf(4);
    expect(hidden.length).to.equal(frame.length);
    hideClosedCaptions(frame.subarray(0, 12), 4);
  });
});
