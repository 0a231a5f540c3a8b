import type { PackageOptions } from './packaging/packageOptions.js';
import type { PulledAddress } from './packaging/pulledStream.js';
import type { RtmpPublication, RtmpPublicationEnd } from '../rtmp/index.js';

/** A pulled source ends if it sends no media for this time. Encoders have a separate limit: `idleMs` of RTMP. */
const idleMs = 15_000;

/** The source of a run's media, and its state. */
export interface PublicationSource {
  readonly kind: 'RTMP' | 'PULL';
  readonly media: PackageOptions['source'];
  /** Time of the last media; null before the first. */
  lastMediaAt(this: void): Date | null;
  /** FLV bytes received; pulled media counts as FLV of H.264 and AAC. */
  receivedBytes(this: void): number;
  /** Called when the packager has read media; `bytes`: its size as FLV. */
  onMedia(this: void, at: Date, bytes: number): void;
  /** Aborts when a pulled source has been ended. */
  readonly signal: AbortSignal;
  readonly ended: Promise<RtmpPublicationEnd>;
  /** Ends the source, unless it has ended. Resolves with the reason of the end. */
  end(this: void, reason: string): Promise<RtmpPublicationEnd>;
}

/** The source of an encoder that is connected to this process. `tags`: the media of the publication. */
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

/** The source of a publication on an external server. It ends if no media arrives within `firstMediaSeconds`. */
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
