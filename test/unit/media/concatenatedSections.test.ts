import { expect } from 'chai';
import { createFileSectionReader, type FileSection } from '../../../workers/media/fileSections.js';

const second = 90_000;
const clock = 2 ** 33;

/** Video packets (stream 0, 1000 bytes each, 25 per second) that start at this tick. */
function packets(start: number, count: number, firstByte: number, index = 0): string[] {
  return Array.from({ length: count }, (_, number) => {
    const tick = (start + number * 3_600) % clock;
    return `video,${index},${tick},${tick},${firstByte + number * 1_000}`;
  });
}

function byteOf(line: string): number {
  return Number(line.split(',').at(-1));
}

function moved(line: string, bytes: number): string {
  return [...line.split(',').slice(0, -1), byteOf(line) + bytes].join(',');
}

function read(lines: readonly string[]): FileSection[] {
  const reader = createFileSectionReader();
  for (const line of lines) reader.read(line);
  return reader.sections();
}

describe('the sections of a concatenated recording', () => {
  it('begin where timestamps restart, after the last packet of the previous section', () => {
    const lines = [...packets(second, 100, 0), ...packets(second, 50, 101_000)];
    expect(read(lines)).to.deep.equal([
      { startByte: 0, firstByte: 0, endByte: 101_000, seconds: 4 },
      { startByte: 99_001, firstByte: 101_000, endByte: Number.POSITIVE_INFINITY, seconds: 2 },
    ]);
  });

  it('are one section if the timestamps only wrap around', () => {
    const [section, ...others] = read(packets(clock - 2 * second, 100, 0));
    expect(others).to.deep.equal([]);
    expect(section?.seconds).to.equal(4);
  });

  it('are one section if single packets have wrong timestamps', () => {
    const lines = packets(0, 100, 0);
    lines[30] = `video,0,${3_600 * second},${3_600 * second},30000`;
    lines[60] = `video,0,0,0,60000`;
    expect(read(lines)).to.have.length(1);
  });

  it('are one section if the audio continues after the video', () => {
    const audio = Array.from({ length: 200 }, (_, number) => `audio,1,${number * 9_000},N/A,${20_000 + number}`);
    expect(read([...packets(0, 20, 0), ...audio, ...packets(19 * second, 20, 30_000)])).to.have.length(1);
  });

  it('contain all MPEG-TS programs, each with its own timestamps', () => {
    const both = [packets(0, 100, 0), packets(5_000 * second, 100, 500, 2)];
    const lines = (from: number): string[] =>
      both
        .flat()
        .toSorted((left, right) => byteOf(left) - byteOf(right))
        .map((line) => moved(line, from));
    expect(read([...lines(0), ...lines(200_000)])).to.have.length(2);
  });

  it('end where other streams replace theirs', () => {
    const sections = read([...packets(0, 100, 0), ...packets(4 * second, 100, 100_000, 2)]);
    expect(sections.map(({ seconds }) => seconds)).to.deep.equal([4, 4]);
  });

  it('assign late audio to the previous section and early audio to the next one', () => {
    const audio = (byte: number, tick: number): string => `audio,1,${tick},${tick},${byte}`;
    const next = packets(0, 50, 101_000);
    const lines = [
      ...[...packets(0, 100, 0), audio(99_500, 3.8 * second)],
      ...[...next.slice(0, 3), audio(99_700, 3.9 * second), ...next.slice(3, 9)],
      ...[audio(100_500, 0), audio(102_500, 0.1 * second), ...next.slice(9)],
    ];
    const sections = read(lines);
    expect(sections).to.have.length(2);
    expect(sections[1]).to.include({ startByte: 99_701, firstByte: 100_500 });
  });
});
