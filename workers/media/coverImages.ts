import { isMediaFailure } from './runner.js';

/** Packets to read per stream: a film has several among them, a picture has one. */
const comparedPackets = 250;

interface ImageStream {
  readonly index: number;
  readonly disposition?: Readonly<Record<string, number>>;
}

/**
 * The streams that are cover images: those marked as such, and those with one packet if another stream has more. Tools that copy a
 * cover may lose its mark. `inspect` runs ffprobe on the file; packets are read only if several streams could be the film, and only
 * as many as needed.
 */
export async function coversAmong<Stream extends ImageStream>(
  images: readonly Stream[],
  inspect: (options: readonly string[], onLine: (line: string) => void) => Promise<void>,
): Promise<ReadonlySet<Stream>> {
  const covers = new Set(images.filter(isMarked));
  const others = images.filter((stream) => !covers.has(stream));
  if (others.length < 2) return covers;
  const packets = new Map<number, number>();
  const options = [
    ...['-select_streams', 'V', '-show_entries', 'packet=stream_index', '-of', 'csv=p=0'],
    ...['-read_intervals', `%+#${comparedPackets * others.length}`],
  ];
  try {
    await inspect(options, (line) => {
      const index = Number.parseInt(line, 10);
      packets.set(index, (packets.get(index) ?? 0) + 1);
    });
  } catch (error) {
    // Compare the readable part of a damaged file.
    if (!isMediaFailure(error)) throw error;
  }
  const isFilm = others.some(({ index }) => (packets.get(index) ?? 0) > 1);
  if (isFilm) for (const stream of others) if (packets.get(stream.index) === 1) covers.add(stream);
  return covers;
}

function isMarked({ disposition }: ImageStream): boolean {
  return disposition?.['attached_pic'] === 1 || disposition?.['still_image'] === 1;
}
