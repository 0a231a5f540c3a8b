import { expect } from 'chai';
import sharp from 'sharp';
import { type SlateProgram, slatesFor, slateTimeText, type RequestedSlate } from '../../../shared/cast/slatePlan.js';
import { slateImage, type SlateContent } from '../../../workers/daily-programming/slateImage.js';
import { drawText, type TextStyle } from '../../../workers/daily-programming/slateText.js';
import { flatAnimation, jpegOfScans } from '../../support/images.js';

const now = new Date('2026-11-22T20:00:00Z');
const channel = { name: 'Harbour', thumbnailId: null, timeZone: 'Europe/Rome' };

function at(minutes: number): Date {
  return new Date(now.getTime() + minutes * 60_000);
}

function program(from: number, to: number, other: Partial<SlateProgram> = {}): SlateProgram {
  const given = { title: `from ${from}`, type: 'PRERECORDED', failureKey: null, offsetSeconds: 0 } as const;
  return { ...given, startsAt: at(from), endsAt: at(to), contentSeconds: (to - from) * 60, ...other };
}

describe('the slate plan of a channel', () => {
  const linesOf = (programs: readonly SlateProgram[]): (readonly string[])[] =>
    slatesFor(channel, programs, now).map(({ lines }) => lines);
  const withNext = (programs: readonly SlateProgram[]): readonly RequestedSlate[] =>
    slatesFor(channel, programs, now).slice(1);

  it('contains a slate with the channel name at any time', () => {
    const [slate, ...others] = slatesFor(channel, [], now);
    expect(others).to.be.empty;
    expect(slate).to.include({ showsUntil: null, thumbnailId: null });
    expect(slate?.lines).to.deep.equal(['Harbour']);
  });

  it('contains a slate for the next program from the start of the previous program', () => {
    const programs = [program(-30, 5), program(10, 20)];
    const [slate] = withNext(programs);
    expect(slate?.lines).to.deep.equal(['Harbour', '21:10', 'from 10']);
    expect([slate?.showsFrom, slate?.showsUntil]).to.deep.equal([at(-30), at(10)]);
  });

  it('contains no slate for the next program if contents fill the time before it', () => {
    expect(withNext([program(-30, 5), program(5, 10), program(10, 15)])).to.be.empty;
  });

  const before: readonly (readonly [string, Partial<SlateProgram>])[] = [
    ['is live', { type: 'LIVE', contentSeconds: null }],
    ['has failed', { failureKey: 'cast.failure' }],
    ['has no content that plays', { contentSeconds: null }],
    ['has a content that is shorter', { contentSeconds: 60 }],
    ['has a content that is shorter from its offset', { offsetSeconds: 60 }],
  ];
  for (const [what, other] of before)
    it(`contains a slate for the next program if the previous one ${what}`, () =>
      expect(linesOf([program(-1, 5, other), program(5, 10)])).to.deep.equal([
        ['Harbour'],
        ['Harbour', '21:05', 'from 5'],
      ]));

  it('announces the program after a break, not the break', () => {
    const programs = [
      program(-5, 1),
      program(1, 2, { type: 'BREAK' }),
      program(2, 3, { type: 'BREAK' }),
      program(3, 9),
    ];
    expect(withNext(programs).map(({ lines }) => lines[2])).to.deep.equal(['from 3']);
  });

  it('contains only the slates of the next fifteen minutes', () => {
    const programs = [10, 14, 16, 18].map((minute) => program(minute, minute + 1));
    expect(withNext(programs).map(({ lines }) => lines[2])).to.deep.equal(['from 10', 'from 14', 'from 16']);
  });

  it('shares one slate for equal texts and has separate ones for different texts, thumbnails or names', () => {
    const same = [program(1, 1.1), program(1.2, 1.3), program(1.4, 1.5)].map((one) => ({ ...one, title: 'News' }));
    const slates = withNext(same);
    expect(slates).to.have.length(1);
    expect(slates[0]?.showsUntil).to.deep.equal(at(1.4));
    const variants = [
      channel,
      { ...channel, name: 'Other' },
      { ...channel, thumbnailId: 'id' },
      { ...channel, timeZone: null },
    ];
    const digests = variants.map((one) =>
      slatesFor(one, same, now)
        .map(({ digest }) => digest)
        .join(),
    );
    expect(new Set(digests).size).to.equal(variants.length);
  });
});

describe('times on a slate', () => {
  const start = new Date('2026-11-23T09:05:30Z');
  const cases: readonly (readonly [zone: string | null, seen: string, text: string])[] = [
    ['Europe/Rome', '2026-11-23T08:00:00Z', '10:05'],
    ['Europe/Rome', '2026-11-22T22:00:00Z', '10:05'],
    ['Europe/Rome', '2026-11-22T20:00:00Z', '2026-11-23 10:05'],
    ['-18000000', '2026-11-23T08:00:00Z', '04:05'],
    ['Asia/Kolkata', '2026-11-23T08:00:00Z', '14:35'],
    [null, '2026-11-23T08:00:00Z', '09:05 UTC'],
    ['Nowhere/At_all', '2026-11-20T08:00:00Z', '2026-11-23 09:05 UTC'],
  ];
  for (const [zone, seen, text] of cases)
    it(`are ${text} in ${zone}, seen at ${seen}`, () =>
      expect(slateTimeText(start, zone, new Date(seen))).to.equal(text));
});

const style: TextStyle = {
  ...{ sizes: [48, 32], weight: 'normal', colour: '#ffffff' },
  ...{ maxWidth: 600, maxHeight: 200 },
};

function picture(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#c2572b' } })
    .jpeg()
    .toBuffer();
}

/** The color of a pixel. */
async function colourAt(image: Buffer, left: number, top: number): Promise<number[]> {
  return [...(await sharp(image).extract({ left, top, width: 1, height: 1 }).raw().toBuffer())];
}

describe('texts on a slate', () => {
  const hostile: readonly (readonly [string, string])[] = [
    ['markup', '</span><span size="900000" foreground="red">x</span>'],
    ['an open element', '<b'],
    ['entities', '&amp; &#0; &lt; &unknown; &'],
    ['control characters', 'a\u0000\u0007\u001b[31mb\u0085\u202e\u2066c'],
    ['a lone surrogate', 'a\ud83db'],
    ['many accents', `Z${'\u0301'.repeat(5_000)}`],
    ['one long word', 'W'.repeat(10_000)],
    ['many words', 'word '.repeat(10_000)],
    ['many lines', 'line\n'.repeat(10_000)],
    ['scripts', 'قناة Ειδήσεις новости 港口 हिन्दी ไทย 한국어 עברית'],
    ['emoji', '👨‍👩‍👧‍👦🏳️‍🌈'.repeat(50)],
  ];
  for (const [what, text] of hostile)
    it(`fit: ${what}`, async () => {
      const image = await drawText(text, style);
      expect(image?.width).to.be.within(1, style.maxWidth);
      expect(image?.height).to.be.within(1, style.maxHeight);
    });

  it('are escaped, not read as markup', async () => {
    const [plain, marked] = await Promise.all([drawText('a', style), drawText('<b>a</b>', style)]);
    expect(marked?.width).to.be.greaterThan(3 * (plain?.width ?? 0));
    const entity = await drawText('&amp;', style);
    expect(entity?.width).to.be.greaterThan(2 * ((await drawText('&', style))?.width ?? 0));
  });

  it('are left out if they have no printable character', async () => {
    for (const text of ['', ' \n\t', '\u0000\u202e']) expect(await drawText(text, style)).to.equal(null);
  });

  it('are aligned by the direction of their script', async () => {
    expect(await drawText('20:15 قناة', style)).to.include({ isRightToLeft: true });
    expect(await drawText('Radio قناة', style)).to.include({ isRightToLeft: false });
  });
});

describe('images of slates', () => {
  const next = { time: '20:15', title: 'The lighthouse keeper' };

  it('have the size of the video and no transparency', async () => {
    const contents: readonly SlateContent[] = [
      { name: null, next: null, thumbnail: null },
      { name: 'Harbour', next: null, thumbnail: null },
      { name: 'W'.repeat(500), next: { time: '20:15', title: 'x'.repeat(500) }, thumbnail: await picture(90, 1600) },
    ];
    for (const content of contents) {
      const { width, height, channels } = await sharp(await slateImage(content)).metadata();
      expect({ width, height, channels }).to.deep.equal({ width: 1280, height: 720, channels: 3 });
    }
  });

  const shapes: readonly (readonly [string, () => Promise<Buffer>])[] = [
    ['landscape', () => picture(1600, 900)],
    ['portrait', () => picture(500, 1400)],
    ['one pixel', () => picture(1, 1)],
    ['a line', () => picture(16_000, 2)],
    [
      'transparent',
      () =>
        sharp({ create: { width: 40, height: 40, channels: 4, background: '#00000000' } })
          .png()
          .toBuffer(),
    ],
    ['animated', () => flatAnimation(64, 64, 5)],
  ];
  for (const [what, make] of shapes)
    it(`show a thumbnail: ${what}`, async () => {
      const thumbnail = await make();
      const [shown, without] = await Promise.all([
        slateImage({ name: 'Harbour', next, thumbnail }),
        slateImage({ name: 'Harbour', next, thumbnail: null }),
      ]);
      expect(await colourAt(shown, 100, 360)).to.not.deep.equal(await colourAt(without, 100, 360));
      expect(await sharp(shown).metadata()).to.include({ width: 1280, height: 720 });
    });

  it('omit a thumbnail that is not an image, is truncated, or has too many pixels', async () => {
    const without = await slateImage({ name: 'Harbour', next, thumbnail: null });
    const huge = await sharp({ create: { width: 9_000, height: 9_000, channels: 3, background: '#fff' } })
      .png({ compressionLevel: 1 })
      .toBuffer();
    const truncated = (await picture(800, 600)).subarray(0, 700);
    const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>');
    for (const thumbnail of [Buffer.from('no image'), Buffer.alloc(0), huge, truncated, script])
      expect((await slateImage({ name: 'Harbour', next, thumbnail })).equals(without)).to.equal(true);
    expect(await slateImage({ name: 'Harbour', next, thumbnail: await jpegOfScans(50) })).to.be.instanceOf(Buffer);
  });
});
