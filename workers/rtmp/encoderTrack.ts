import { readAudioHead, readVideoHead } from '../../shared/media/flv/index.js';

/**
 * The treatment of a track's message: pass it on, drop its media, ignore it because it has no media, or end the publication because
 * of its codec.
 */
export type TrackDecision = 'configuration' | 'media' | 'drop' | 'ignore' | { readonly unsupported: string };

/** The state of one track: it passes its configuration first, then a keyframe, then all media. */
export class EncoderTrack {
  #hasConfiguration = false;
  #hasStarted = false;
  #codec: string | null = null;

  constructor(private readonly kind: 'audio' | 'video') {}

  /** Null until the first supported message. */
  get codec(): string | null {
    return this.#codec;
  }

  decide(payload: Buffer): TrackDecision {
    const head = this.kind === 'video' ? readVideoHead(payload) : readAudioHead(payload);
    if (!head) return 'ignore';
    if (head.isAdditionalTrack && this.#codec !== null) return 'drop';
    if (!head.isSupported) return { unsupported: `${this.kind} ${head.codec}` };
    this.#codec = head.codec;
    if (head.isConfiguration) {
      this.#hasConfiguration = true;
      return 'configuration';
    }
    // MP3 needs no configuration.
    const needsConfiguration = this.kind === 'video' || head.codec === 'AAC';
    if (needsConfiguration && !this.#hasConfiguration) return 'drop';
    if (this.kind === 'video' && !head.isKeyframe && !this.#hasStarted) return 'drop';
    this.#hasStarted = true;
    return 'media';
  }
}
