import { fileAddress, openingOptions } from './demuxers.js';
import { MediaFault } from './mediaFault.js';
import { isMediaFailure, type MediaRun, type MediaRunner } from './runner.js';

/** Ticks per second, and ticks until the PTS wraps around, in transport and program streams. */
const ticksPerSecond = 90_000;
const clockTicks = 2 ** 33;
/** Within one recording, timestamps go back by less than the first value and forward by less than the second. */
const backTicks = 0.5 * ticksPerSecond;
const aheadTicks = 10 * ticksPerSecond;
/** Further streams of a section, even with another clock (several programmes), start within this time. */
const openingTicks = ticksPerSecond;
/** Number of packet positions in memory, to find the end of the previous section. */
const recentPositions = 1_000;

/** Containers in which recordings can be joined by concatenating their bytes. */
export const joinableDemuxers: readonly string[] = ['mpegts', 'mpeg'];

/** A section of a file with continuous timestamps. */
export interface FileSection {
  /** Start of the section's tables and headers, possibly after the last bytes of the previous section. */
  readonly startByte: number;
  /** Position of the first packet. */
  readonly firstByte: number;
  /** Exclusive; infinite in the last section. */
  readonly endByte: number;
  readonly seconds: number;
}

/** Reads positions and timestamps of all packets, without decoding, and divides the file at discontinuities. */
export async function findFileSections(
  runner: MediaRunner,
  source: { readonly path: string; readonly demuxer: string },
  limits: { readonly sections: number; readonly streams: number },
  run: MediaRun,
): Promise<FileSection[]> {
  const reader = createFileSectionReader();
  const read = (line: string): void => {
    reader.read(line);
    // A file with more sections is damaged or malicious.
    if (reader.sectionCount() > limits.sections)
      throw new MediaFault('content.failure.unreadable', 'the timestamps have no order');
    if (reader.streamCount() > limits.streams) throw new MediaFault('content.failure.tooManyStreams', 'in one section');
  };
  const entries = ['-show_entries', 'packet=codec_type,stream_index,pts,dts,pos', '-of', 'csv=p=0'];
  const options = ['-fflags', '+noparse', ...openingOptions(source.demuxer), ...entries, fileAddress(source.path)];
  try {
    await runner.inspect(options, { ...run, onLine: read });
  } catch (error) {
    // A truncated file has been read to its end; the caller decides whether that suffices.
    if (!isMediaFailure(error)) throw error;
  }
  return reader.sections();
}

interface PacketPosition {
  readonly tick: number;
  /** Ticks from decoding to presentation. */
  readonly delay: number;
  readonly byte: number;
}

interface Track {
  readonly kind: string;
  section: Section | null;
  tick: number;
  /** Ticks since the first packet of the section, without PTS wrap-arounds. */
  at: number;
  /** Ticks between the last two packets. */
  last: number;
  /** A packet far from the previous one: its timestamp is wrong, unless the next packet follows it. */
  astray: PacketPosition | null;
}

interface Section {
  /** Position of the first packet. */
  firstByte: number;
  /** After the start of the previous section's last packet, so that tables in between belong to this section. */
  startByte: number;
  from: number;
  to: number;
  readonly tracks: Set<Track>;
}

export interface FileSectionReader {
  /** Reads one packet: `video,0,<pts>,<dts>,<byte>`. */
  read(line: string): void;
  sectionCount(): number;
  /** Number of streams in the current section. */
  streamCount(): number;
  sections(): FileSection[];
}

export function createFileSectionReader(): FileSectionReader {
  const tracks = new Map<string, Track>();
  const sections: Section[] = [];
  const recent: number[] = [];

  function startBefore(byte: number): number {
    return Math.max(-1, ...recent.filter((known) => known < byte)) + 1;
  }

  function enter(track: Track, { tick, byte }: PacketPosition, section: Section): void {
    const [other] = [...section.tracks].filter((known) => distance(tick, known.tick) <= aheadTicks);
    track.section?.tracks.delete(track);
    section.tracks.add(track);
    Object.assign(track, { section, tick, at: other ? other.at + difference(tick, other.tick) : 0 });
    if (byte < section.firstByte) Object.assign(section, { firstByte: byte, startByte: startBefore(byte) });
  }

  function open(track: Track, packet: PacketPosition): void {
    const section = {
      firstByte: packet.byte,
      startByte: startBefore(packet.byte),
      from: Number.POSITIVE_INFINITY,
      to: Number.NEGATIVE_INFINITY,
      tracks: new Set<Track>(),
    };
    sections.push(section);
    enter(track, packet, section);
  }

  function follow(track: Track, packet: PacketPosition): void {
    const newest = sections.at(-1) as Section;
    if (track.section !== newest && packet.byte >= newest.firstByte && isNear(newest, packet.tick))
      enter(track, packet, newest);
    const step = difference(packet.tick, track.tick);
    Object.assign(track, { tick: packet.tick, at: track.at + step, last: step > 0 ? step : track.last, astray: null });
    const section = track.section as Section;
    const shown = track.at + packet.delay;
    section.from = Math.min(section.from, shown);
    // A container packet can contain many audio packets, and the last one fewer, so `last` is no duration of audio.
    section.to = Math.max(section.to, shown + (track.kind === 'video' ? track.last : 0));
  }

  function know(byte: number): void {
    const newest = sections.at(-1);
    if (newest && byte < newest.firstByte) newest.startByte = Math.max(newest.startByte, byte + 1);
    if (recent.push(byte) > 2 * recentPositions) recent.splice(0, recentPositions);
  }

  return {
    read(line) {
      const [kind = '', index = '', pts, dts, byteText] = line.split(',');
      const packet = positionOf(Number(pts), Number(dts), Number(byteText));
      if ((kind !== 'video' && kind !== 'audio') || Number.isNaN(packet.byte)) return;
      know(packet.byte);
      if (Number.isNaN(packet.tick)) return;
      const track = tracks.get(index) ?? { kind, section: null, tick: 0, at: 0, last: 0, astray: null };
      tracks.set(index, track);
      const newest = sections.at(-1);
      const belongs = (tick: number): boolean =>
        newest !== undefined &&
        track.section !== newest &&
        (newest.to - newest.from < openingTicks || (isNear(newest, tick) && !isReplacing(track, newest)));
      if (track.section ? continues(track, track.section, packet.tick) : belongs(packet.tick)) {
        if (!track.section) enter(track, packet, newest as Section);
        follow(track, packet);
      } else if (!newest || (track.astray && isStep(difference(packet.tick, track.astray.tick)))) {
        const first = track.astray ?? packet;
        if (belongs(first.tick)) enter(track, first, newest as Section);
        else open(track, first);
        follow(track, first);
        if (first !== packet) follow(track, packet);
      } else track.astray = packet;
    },
    sectionCount: () => sections.length,
    streamCount: () => sections.at(-1)?.tracks.size ?? 0,
    sections: () =>
      sections.map((section, index) => ({
        startByte: section.startByte,
        firstByte: section.firstByte,
        endByte: sections[index + 1]?.firstByte ?? Number.POSITIVE_INFINITY,
        seconds: Math.max(0, section.to - section.from) / ticksPerSecond,
      })),
  };
}

function positionOf(pts: number, dts: number, byte: number): PacketPosition {
  const tick = Number.isNaN(dts) ? pts : dts;
  return { tick, delay: Number.isNaN(pts) ? 0 : difference(pts, tick), byte };
}

/** The difference of two timestamps, considering PTS wrap-around. */
function difference(later: number, earlier: number): number {
  const turned = (((later - earlier) % clockTicks) + clockTicks) % clockTicks;
  return turned < clockTicks / 2 ? turned : turned - clockTicks;
}

function distance(left: number, right: number): number {
  return Math.abs(difference(left, right));
}

function isStep(ticks: number): boolean {
  return ticks > -backTicks && ticks < aheadTicks;
}

function isNear(section: Section, tick: number): boolean {
  return [...section.tracks].some((track) => distance(tick, track.tick) <= aheadTicks);
}

/** A stream may pause for a long time while others continue. */
function continues(track: Track, section: Section, tick: number): boolean {
  const step = difference(tick, track.tick);
  return isStep(step) || (step > 0 && isNear(section, tick));
}

/** Whether a new stream replaces a stream of the same kind: video, or audio if there is no video. */
function isReplacing(track: Track, section: Section): boolean {
  if (track.section) return false;
  const kinds = [...section.tracks].map(({ kind }) => kind);
  return kinds.includes(track.kind) && (track.kind === 'video' || !kinds.includes('video'));
}
