import { ChangeSignal } from '../../../shared/platform/changeSignal.js';
import type { Logger } from '../../../shared/platform/log.js';
import {
  partTargetSeconds,
  shortestPartSeconds,
  type PartRendition,
  type PartSegment,
  type PartsState,
} from '../../../shared/streaming/lowLatency/partsState.js';
import type { PackagedPart, PackagedSegment } from '../packaging/packageOptions.js';
import { initialisationName } from '../packaging/segmentWriter.js';

interface StoredPart {
  readonly durationSeconds: number;
  readonly isIndependent: boolean;
  readonly data: readonly Buffer[];
}

interface StoredRendition {
  readonly name: string;
  readonly map: string;
  readonly parts: StoredPart[];
  isComplete: boolean;
}

interface StoredSegment extends PackagedSegment {
  readonly number: number;
  readonly names: readonly string[];
  readonly renditions: Map<string, StoredRendition>;
  bytes: number;
  startsAtMs: number;
  isComplete: boolean;
}

/**
 * Parts are listed in the segment in progress and in three before it. RFC 8216bis requires that they remain readable for three more
 * target durations, which are three more segments. One segment may wait for its row.
 */
const maxSegments = 8;
const maxBytes = 48 * 1024 ** 2;

/**
 * The newest parts of one run, in memory. A segment is visible when all renditions have its first part. Its parts never change,
 * unless its encoding ends before the segment is complete. A run with irregular parts, for example with a keyframe every 0.7 s, has
 * none: players then load complete segments.
 */
export class PartStore {
  /** Notified of every change. */
  readonly changes = new ChangeSignal();
  readonly #runId: string;
  readonly #log: Logger;
  #segments: StoredSegment[] = [];
  /** The initialisation segments that `#segments` refer to. */
  readonly #initialisations = new Map<string, Buffer>();
  #count = 0;
  #version = 0;
  #storedStartsAtMs: number | null = null;
  /** The segment that was removed last. */
  #removed: StoredSegment | null = null;
  #isOff = false;
  #isEnded = false;

  constructor(options: { readonly runId: string; readonly log: Logger }) {
    this.#runId = options.runId;
    this.#log = options.log;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  add(part: PackagedPart): void {
    if (this.#isOff || this.#isEnded) return;
    this.#giveUpBefore(part.encoding);
    const segment = this.#segmentOf(part);
    const rendition = this.#renditionOf(segment, part);
    const before = rendition.parts.at(-1);
    if (part.durationSeconds > partTargetSeconds || (before && before.durationSeconds < shortestPartSeconds)) {
      this.#turnOff(before && part.durationSeconds <= partTargetSeconds ? before : part);
      return;
    }
    const { durationSeconds, isIndependent, data } = part;
    rendition.parts.push({ durationSeconds, isIndependent, data });
    rendition.isComplete = part.isLast;
    segment.bytes += data.reduce((sum, { length }) => sum + length, 0);
    if (part.rendition === part.renditions[0] && part.part === 0) segment.startsAtMs = part.startsAt.getTime();
    this.#dropOldest();
    this.#change();
  }

  /** No more parts follow in the segment; its row will refer to the same bytes. */
  complete(packaged: PackagedSegment): void {
    const segment = this.#find(packaged);
    if (!segment) return;
    segment.isComplete = true;
    for (const rendition of segment.renditions.values()) rendition.isComplete = true;
    this.#change();
  }

  /** Called when the row of the segment is written. */
  stored(packaged: PackagedSegment): void {
    const segment = this.#find(packaged);
    if (!segment) return;
    this.#storedStartsAtMs = segment.startsAtMs;
    this.#change();
  }

  /** Called when the run has ended or is lost. */
  end(): void {
    this.#isEnded = true;
    this.#segments = [];
    this.#change();
  }

  state(): PartsState {
    const segments = this.#segments.map((segment, index) =>
      isVisible(segment) ? stateOf(segment, this.#segments[index - 1] ?? this.#removed) : null,
    );
    return {
      ...{ runId: this.#runId, version: this.#version, storedStartsAtMs: this.#storedStartsAtMs },
      segments: segments.filter((segment) => segment !== null),
    };
  }

  /** Null if the part does not exist or was removed. */
  part(number: number, part: number, rendition: string): readonly Buffer[] | null {
    const segment = this.#segments.find((one) => one.number === number);
    return segment?.renditions.get(rendition)?.parts[part]?.data ?? null;
  }

  initialisation(map: string): Buffer | null {
    return this.#initialisations.get(map) ?? null;
  }

  /** Removes incomplete segments of earlier encodings, which are encoded again. */
  #giveUpBefore(encoding: number): void {
    this.#segments = this.#segments.filter((segment) => segment.isComplete || segment.encoding === encoding);
  }

  #segmentOf(part: PackagedPart): StoredSegment {
    const known = this.#find(part);
    if (known) return known;
    const { encoding, segment, renditions: names } = part;
    const begun: StoredSegment = {
      ...{ encoding, segment, names, number: this.#count++, renditions: new Map() },
      ...{ bytes: 0, startsAtMs: 0, isComplete: false },
    };
    this.#segments.push(begun);
    return begun;
  }

  #renditionOf(segment: StoredSegment, { rendition: name, initialisation }: PackagedPart): StoredRendition {
    const known = segment.renditions.get(name);
    if (known) return known;
    const map = initialisationName(initialisation);
    this.#initialisations.set(map, initialisation);
    const begun: StoredRendition = { name, map, parts: [], isComplete: false };
    segment.renditions.set(name, begun);
    return begun;
  }

  #find({ encoding, segment }: PackagedSegment): StoredSegment | undefined {
    return this.#segments.find((one) => one.encoding === encoding && one.segment === segment);
  }

  #dropOldest(): void {
    let bytes = this.#segments.reduce((sum, segment) => sum + segment.bytes, 0);
    while (this.#segments.length > maxSegments || (bytes > maxBytes && this.#segments.length > 0)) {
      this.#removed = this.#segments.shift() ?? null;
      bytes -= this.#removed?.bytes ?? 0;
    }
    const named = new Set(this.#segments.flatMap(({ renditions }) => [...renditions.values()].map(({ map }) => map)));
    for (const map of this.#initialisations.keys()) if (!named.has(map)) this.#initialisations.delete(map);
  }

  #turnOff({ durationSeconds }: { readonly durationSeconds: number }): void {
    this.#isOff = true;
    this.#segments = [];
    this.#log.warn({ runId: this.#runId, durationSeconds }, 'live parts irregular, serving complete segments only');
    this.#change();
  }

  #change(): void {
    this.#version += 1;
    this.changes.notify();
  }
}

function isVisible({ names, renditions }: StoredSegment): boolean {
  return names.every((name) => (renditions.get(name)?.parts.length ?? 0) > 0);
}

function stateOf(segment: StoredSegment, before: StoredSegment | null): PartSegment {
  return {
    ...{ number: segment.number, startsAtMs: segment.startsAtMs, previousStartsAtMs: before?.startsAtMs ?? null },
    isDiscontinuous: before !== null && before.encoding !== segment.encoding,
    renditions: segment.names.flatMap((name) => {
      const rendition = segment.renditions.get(name);
      return rendition ? [renditionState(rendition)] : [];
    }),
  };
}

function renditionState({ name, map, isComplete, parts }: StoredRendition): PartRendition {
  return {
    ...{ name, map, isComplete },
    parts: parts.map(({ durationSeconds, isIndependent }) => ({
      durationMicroseconds: Math.round(durationSeconds * 1e6),
      isIndependent,
    })),
  };
}
