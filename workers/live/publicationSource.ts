import type { PackageOptions } from './packaging/packageOptions.js';
import type { PulledAddress } from './packaging/pulledStream.js';
import type { RtmpPublication, RtmpPublicationEnd } from '../rtmp/index.js';

/** A source that is pulled ends when it sends nothing more for this long. Encoders have a limit of their own: `idleMs` of RTMP. */
const idleMs = 15_000;

/** Where the media of a run comes from. */
export interface PublicationSource {
  readonly kind: 'RTMP' | 'PULL';
  readonly media: PackageOptions['source'];
  /** When media arrived last; null before. */
  lastMediaAt(this: void): Date | null;
  /** FLV bytes of the encoder; where the media is pulled, as FLV of H.264 and AAC. */
  receivedBytes(this: void): number;
  /** The packager has read media, so many bytes of FLV. */
  onMedia(this: void, at: Date, bytes: number): void;
  /** Aborted where a source that is pulled is no longer wanted. */
  readonly signal: AbortSignal;
  readonly ended: Promise<RtmpPublicationEnd>;
  /** Ends the source if it has not ended yet. Resolves with the reason why it has ended. */
  end(this: void, reason: string): Promise<RtmpPublicationEnd>;
}

/** An encoder that is connected to this process. `tags`: those of the publication. */
export function rtmpSource(
  publication: RtmpPublication<unknown>,
  tags: RtmpPublication<unknown>['tags'],
): PublicationSource {
  return {
    kind: 'RTMP',
    media: {
      tags,
      ended: publication.ended,
      close: () => publication.end('reader closed'),
    },
    lastMediaAt: () => publication.counts.lastMediaAt,
    receivedBytes: () => publication.counts.bytes,
    onMedia() {},
    signal: new AbortController().signal,
    ended: publication.ended,
    end(reason) {
      publication.end(reason);
      return publication.ended;
    },
  };
}

/** A publication on an external server. It ends where no media arrives within `firstMediaSeconds`. */
export function pullSource(media: PulledAddress, firstMediaSeconds: number): PublicationSource {
  const stopping = new AbortController();
  let lastMediaAt: Date | null = null;
  let receivedBytes = 0;
  let resolveEnded: (end: RtmpPublicationEnd) => void = () => {};
  const ended = new Promise<RtmpPublicationEnd>((resolve) => (resolveEnded = resolve));
  const end = (reason: string): Promise<RtmpPublicationEnd> => {
    clearTimeout(idle);
    stopping.abort();
    resolveEnded({ reason });
    return ended;
  };
  let idle = setTimeout(() => void end('no media'), firstMediaSeconds * 1000);
  return {
    kind: 'PULL',
    media,
    lastMediaAt: () => lastMediaAt,
    receivedBytes: () => receivedBytes,
    onMedia(at, bytes) {
      receivedBytes += bytes;
      if (stopping.signal.aborted) return;
      clearTimeout(idle);
      idle = setTimeout(() => void end('idle'), idleMs);
      lastMediaAt = at;
    },
    signal: stopping.signal,
    ended,
    end,
  };
}
