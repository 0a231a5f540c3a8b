import { expect } from 'chai';
import { CaptionFileError, maxCues, vttBytes, type CaptionFault } from '../../../shared/caption/cue.js';
import { captionWordsOf } from '../../../shared/caption/captionWords.js';
import { readCaptions } from '../../../shared/caption/readCaptions.js';
import { CueIndex } from '../../../shared/caption/cueIndex.js';
import { maxCuesAtOnce } from '../../../shared/caption/shownAtOnce.js';
import { vttFile, vttFileInSlices } from '../../../shared/caption/vttFile.js';

const cuesOf = async (...given: Parameters<typeof readCaptions>) => (await readCaptions(...given)).cues;
const read = (text: string) => cuesOf(Buffer.from(text));
const textsOf = async (text: string) => (await read(text)).map(({ text: shown }) => shown);
const faultOf = (file: Uint8Array) =>
  readCaptions(file).then(
    () => null,
    (error: unknown) => error,
  );
const cue = (text: string, times = '00:01.000 --> 00:02.000') => `WEBVTT\n\n${times}\n${text}\n`;

describe('readCaptions', () => {
  it('reads WebVTT: header, notes, styles, names, settings, short times', async () => {
    const file = [
      'WEBVTT - A film',
      'Kind: captions',
      '',
      'NOTE nothing',
      'of this',
      '',
      'STYLE',
      '::cue { color: red }',
      '',
      'first',
      '00:01.500 --> 00:03.250 line:0 align:left region:x',
      'Hello,',
      'you',
      '',
      '01:00:00.000 --> 01:00:01.000',
      'Later',
    ].join('\r\n');
    expect(await read(`\uFEFF${file}`)).to.deep.equal([
      { startMs: 1500, endMs: 3250, text: 'Hello,\nyou', settings: 'line:0 align:left' },
      { startMs: 3_600_000, endMs: 3_601_000, text: 'Later', settings: '' },
    ]);
  });

  it('reads SubRip: numbers, commas, codes of SSA, markup', async () => {
    const file =
      '1\n00:00:01,000 --> 00:00:02,5\n{\\an8}<font color="red">Up</font> <i>there</i>\n\n2\n0:00:03,000 --> 0:00:04,000\nDown\n';
    expect(await read(file)).to.deep.equal([
      { startMs: 1000, endMs: 2500, text: 'Up <i>there</i>', settings: 'line:0' },
      { startMs: 3000, endMs: 4000, text: 'Down', settings: '' },
    ]);
  });

  it('reads UTF-16 with a byte order mark', async () => {
    const bytes = Buffer.from(`\uFEFF${cue('Grüße')}`, 'utf16le');
    expect((await cuesOf(bytes))[0]?.text).to.equal('Grüße');
    expect((await cuesOf(bytes.swap16()))[0]?.text).to.equal('Grüße');
  });

  const cleaned: readonly (readonly [string, string])[] = [
    ['<script>alert(1)</script>', 'alert(1)'],
    ['<img src=x onerror=alert(1)>Hi', 'Hi'],
    ['<v Mary>Hi</v> <c.loud>you</c>', 'Hi you'],
    ['1 < 2 & 3 > 2', '1 &lt; 2 &amp; 3 &gt; 2'],
    [
      '&lt;b&gt; &amp;amp; &nbsp;x &#65; &bogus; &#x110000;',
      '&lt;b&gt; &amp;amp; \u00A0x A &amp;bogus; &amp;#x110000;',
    ],
    ['<i>open <b>both', '<i>open <b>both</b></i>'],
    ['<i>one <b>two</i> three</b>', '<i>one <b>two</b></i> three'],
    ['</i>stray', 'stray'],
    ['<I.x>Upper</I>', '<i>Upper</i>'],
    ['a\u0000b\u001B[0m', 'a b [0m'],
    ['<00:00:01.500>word', 'word'],
    [`<${'a'.repeat(500)}>x`, `&lt;${'a'.repeat(500)}&gt;x`],
  ];
  it('keeps only WebVTT tags, closes all of them, and replaces entities with characters', async () => {
    for (const [text, expected] of cleaned) expect(await textsOf(cue(text)), text).to.deep.equal([expected]);
  });

  it('sorts cues by time and drops empty and duplicate cues', async () => {
    const file =
      'WEBVTT\n\n00:05.000 --> 00:06.000\nB\n\n00:01.000 --> 00:02.000\nA\n\n00:01.000 --> 00:02.000\nA\n\n00:02.000 --> 00:03.000\n<c></c>\n';
    expect(await textsOf(file)).to.deep.equal(['A', 'B']);
  });

  const refused: readonly (readonly [CaptionFault, number, Uint8Array])[] = [
    ['encoding', 0, Buffer.from([0x57, 0xc3, 0x28])],
    ['noCues', 0, Buffer.from('')],
    ['noCues', 0, Buffer.from('WEBVTT\n\nNOTE x\n')],
    ['format', 3, Buffer.from('WEBVTT\n\n00:01.000 -> 00:02.000\nHi\n\n00:03.000 --> 00:04.000\nHo\n')],
    ['format', 1, Buffer.from('<html><body>no captions</body></html>')],
    ['format', 6, Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nA\n\n2\nB\n')],
    ['timing', 3, Buffer.from(cue('back', '00:02.000 --> 00:01.000'))],
    ['timing', 3, Buffer.from(cue('far', '00:02.000 --> 999:00:00.000'))],
    ['tooLongText', 4, Buffer.from(cue('x'.repeat(2001)))],
    ['tooLarge', 4971, Buffer.from(`WEBVTT\n\n${`0:01.000 --> 0:02.000\n${'&'.repeat(500)}\n\n`.repeat(4000)}`)],
    ['tooManyCues', maxCues * 3 + 3, Buffer.from(`WEBVTT\n\n${'0:01.000 --> 0:02.000\nx\n\n'.repeat(maxCues + 1)}`)],
  ];
  for (const [reason, line, file] of refused) {
    it(`rejects a file: ${reason} in line ${line}`, async () => {
      expect(await faultOf(file))
        .to.be.instanceOf(CaptionFileError)
        .that.includes({ reason, line });
    });
  }

  it('reads a stream that is split at any position', async () => {
    const text = '\uFEFFWEBVTT\r\n\r\n00:01.000 --> 00:02.000\r\nGrüße\r\n\r\r00:03.000 --> 00:04.000\n€ &amp; 𝄞';
    const file = Buffer.from(text);
    const whole = await cuesOf(file);
    expect(whole.map((one) => one.text)).to.deep.equal(['Grüße', '€ &amp; 𝄞']);
    const pieces = async function* (): AsyncGenerator<Uint8Array> {
      yield* Array.from({ length: file.length }, (_, index) => file.subarray(index, index + 1));
    };
    expect(await cuesOf(pieces())).to.deep.equal(whole);
  });

  it('drops and counts cues that are empty, end before their start, or lie after the maximum duration', async () => {
    const times = ['00:01.000 --> 00:02.000', '00:03.000 --> 00:03.000', '00:05.000 --> 00:04.000'];
    const file = [...times, '00:05.000 --> 999:00:00.000', '00:06.000 --> 00:07.000'].map((one, index) =>
      ['', one, index].join('\n'),
    );
    const found = await readCaptions(Buffer.from(`WEBVTT\n${file.join('\n')}\n\n00:08.000 --> 00:08.000\n<c></c>\n`));
    expect(found.cues.map(({ text }) => text)).to.deep.equal(['0', '4']);
    expect(found.leftOutCues).to.equal(3);
  });

  const unseparated: readonly (readonly [string, string, readonly string[]])[] = [
    ['SubRip with numbers', '1\n0:01,0 --> 0:02,0\nfirst\n2\n0:04,0 --> 0:06,0\nnext', ['1 2 first', '4 6 next']],
    ['SubRip with empty cues', '1\n0:01,0 --> 0:02,0\n2\n0:04,0 --> 0:06,0\n3\n0:07,0 --> 0:08,0\n7\n', ['7 8 7']],
    ['SubRip without numbers', '0:01,0 --> 0:02,0\n1984\n0:04,0 --> 0:06,0\nnext', ['1 2 1984', '4 6 next']],
    ['two lines', '1\n0:01,0 --> 0:02,0\na\nb\n2\n0:04,0 --> 0:06,0\nnext', ['1 2 a\nb', '4 6 next']],
    ['WebVTT', 'WEBVTT\n00:01.000 --> 00:02.000\na\n00:04.000 --> 00:06.000\nb', ['1 2 a', '4 6 b']],
    [
      'a header and a style',
      'WEBVTT\nKind: captions\nLanguage: en\n00:01.000 --> 00:02.000\na\n\nSTYLE\n::cue {}\n00:03.000 --> 00:04.000\nb',
      ['1 2 a', '3 4 b'],
    ],
    [
      'a note that contains commented-out cues',
      'WEBVTT\n\nNOTE\n00:01.000 --> 00:02.000\na\n00:03.000 --> 00:04.000\nb\n\n00:04.000 --> 00:05.000\nc',
      ['4 5 c'],
    ],
  ];
  for (const [name, file, expected] of unseparated) {
    it(`starts a cue at its timing line if the empty line before it is missing: ${name}`, async () => {
      const cues = (await read(file)).map(({ startMs, endMs, text }) => `${startMs / 1000} ${endMs / 1000} ${text}`);
      expect(cues).to.deep.equal(expected);
    });
  }

  it('reads any number of cues without empty lines between them and reports the invalid line', async () => {
    const numbered = (number: number) => `${number}\n00:00:01,000 --> 00:00:02,000\n${'x'.repeat(100)} ${number}\n`;
    const file = Array.from({ length: 1000 }, (_, index) => numbered(index + 1)).join('');
    expect(await cuesOf(Buffer.from(file), { isLenient: true })).to.have.lengthOf(maxCuesAtOnce);
    expect(await faultOf(Buffer.from(`${numbered(1)}${numbered(2)}${'y'.repeat(2001)}\n${numbered(3)}`))).to.include({
      ...{ reason: 'tooLongText', line: 6 },
    });
  });

  it('shifts times and drops single cues on request', async () => {
    const file = Buffer.from(
      'WEBVTT\n\n00:01.000 --> 00:02.000\nA\n\n00:03.000 --> 00:03.000\nB\n\nC\n\n00:05.000 --> 00:06.000\nD\n',
    );
    const moved = await cuesOf(file, { shiftMs: -2500, isLenient: true });
    expect(moved.map(({ startMs, endMs, text }) => [startMs, endMs, text])).to.deep.equal([[2500, 3500, 'D']]);
    const none = await readCaptions(Buffer.from('<html>'), { isLenient: true }).catch((error: unknown) => error);
    expect(none).to.be.instanceOf(CaptionFileError).with.property('reason', 'format');
  });

  it('takes linear time for any file and does not block the event loop', async () => {
    const hostile = [
      '<'.repeat(500_000),
      '&'.repeat(500_000),
      '{\\'.repeat(250_000),
      '<i>'.repeat(150_000),
      `${'<b>'.repeat(75_000)}${'</i>'.repeat(75_000)}`,
      ' '.repeat(500_000),
      '\n'.repeat(500_000),
      `00:01.000${' '.repeat(500_000)}-->`,
    ];
    const started = performance.now();
    for (const text of hostile)
      for (const file of [text, cue(text)]) expect(await faultOf(Buffer.from(file))).to.be.instanceOf(CaptionFileError);
    expect(performance.now() - started).to.be.below(15_000);
    const many = `WEBVTT\n\n${'00:01.000 --> 00:02.000\n&amp;&lt;\n\n'.repeat(40_000)}`;
    let turns = 0;
    const timer = setInterval(() => (turns += 1));
    await read(many);
    clearInterval(timer);
    expect(turns).to.be.above(5);
  });
});

describe('vttFile', () => {
  it('is read back as it was written', async () => {
    const cues = await read(cue('<i>A</i> &amp; --> B\nC', '00:01.000 --> 11:02:03.004 line:0'));
    expect(vttBytes(cues)).to.equal(Buffer.byteLength(vttFile(cues)));
    expect(await read(vttFile(cues))).to.deep.equal(cues);
    expect(vttFile(cues, { localMs: 30_000, mpegTicks: 2_700_000 })).to.include(
      'WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:30.000,MPEGTS:2700000\n\n00:00:01.000 --> 11:02:03.004 line:0\n',
    );
  });

  it('is the same in slices', async () => {
    const cues = Array.from({ length: 5000 }, (_, index) => ({
      ...{ startMs: index, endMs: index + 1, text: 'x', settings: '' },
    }));
    expect(await vttFileInSlices(cues)).to.equal(vttFile(cues));
  });

  it('contains the cues of a part, including cues that extend beyond it', async () => {
    const cues = await read(
      'WEBVTT\n\n00:01.000 --> 00:02.000\nA\n\n00:02.000 --> 00:40.000\nB\n\n00:30.000 --> 00:31.000\nC\n',
    );
    const texts = (from: number, to: number) => new CueIndex(cues).between(from, to).map(({ text }) => text);
    expect([texts(0, 30_000), texts(30_000, 60_000), texts(0, 1000)]).to.deep.equal([['A', 'B'], ['B', 'C'], []]);
  });
});

describe('CueIndex', () => {
  it('finds the same cues as a scan of all cues', () => {
    let state = 1;
    const next = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
    for (const count of [0, 1, 2, 3, 100]) {
      const cues = Array.from({ length: count }, () => next(10_000))
        .toSorted((one, two) => one - two)
        .map((startMs) => ({ startMs, endMs: startMs + 1 + next(next(2) ? 100 : 10_000), text: '', settings: '' }));
      const index = new CueIndex(cues);
      for (let look = 0; look < 200; look += 1) {
        const from = next(12_000);
        const to = from + next(3_000);
        const expected = cues.filter(({ startMs, endMs }) => startMs < to && endMs > from);
        expect(index.between(from, to)).to.deep.equal(expected);
      }
    }
  });
});

describe('simultaneous cues', () => {
  const crowd = (count: number, everyMs: number) =>
    Array.from({ length: count }, (_, index) => {
      const time = (ms: number): string => new Date(ms).toISOString().slice(11, 23);
      return `${time(index * everyMs)} --> ${time(index * everyMs + 400)}\n${index}\n`;
    });
  const fileOf = (cues: readonly string[]): Buffer => Buffer.from(`WEBVTT\n\n${cues.join('\n')}`);

  it('are limited in number, like cues that follow each other within a second', async () => {
    expect(await cuesOf(fileOf(crowd(200, 1000 / maxCuesAtOnce)))).to.have.lengthOf(200);
    for (const everyMs of [0, 10]) {
      const fault = await faultOf(fileOf(crowd(200, everyMs)));
      expect(fault)
        .to.be.instanceOf(CaptionFileError)
        .that.includes({ reason: 'tooManyAtOnce', atMs: everyMs * maxCuesAtOnce });
      const { cues, leftOutCues } = await readCaptions(fileOf(crowd(200, everyMs)), { isLenient: true });
      const shown = everyMs === 0 ? maxCuesAtOnce : 100;
      expect([cues.length, leftOutCues]).to.deep.equal([shown, 200 - shown]);
    }
    const long = Array.from({ length: 20 }, (_, index) => `00:00.000 --> 00:01.000\n${index}${'&'.repeat(1500)}\n`);
    expect(await faultOf(fileOf(long))).to.include({ reason: 'tooManyAtOnce' });
  });
});

describe('captionWordsOf', () => {
  it('returns each word once, in lower case, without tags', async () => {
    expect(await captionWordsOf(await read(cue('<i>The Cat</i> &amp; the <b>dog</b>')))).to.equal('the cat dog');
  });
});
