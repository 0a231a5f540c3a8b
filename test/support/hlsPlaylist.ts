import { expect } from 'chai';

/** A segment of a media playlist, with the values of its tags. */
export interface ReadSegment {
  readonly sequence: number;
  readonly discontinuity: number;
  readonly uri: string;
  readonly map: string;
  readonly startsAtMs: number;
  readonly durationSeconds: number;
}

/** A part of a segment, which may not be complete yet. */
export interface ReadPart {
  readonly sequence: number;
  readonly discontinuity: number;
  /** Index within its segment, from 0. */
  readonly part: number;
  readonly uri: string;
  readonly map: string;
  readonly durationSeconds: number;
  readonly isIndependent: boolean;
}

/** The low-latency members of a playlist with parts. */
export interface ReadLowLatency {
  readonly partTargetSeconds: number;
  readonly holdBackSeconds: number;
  /** Parts of complete segments and of the unfinished one. */
  readonly parts: readonly ReadPart[];
  /** URL of the next part. */
  readonly hint: string | null;
  readonly reports: readonly { readonly uri: string; readonly sequence: number; readonly part: number | null }[];
}

export interface ReadPlaylist {
  readonly targetDurationSeconds: number;
  readonly mediaSequence: number;
  readonly discontinuitySequence: number;
  readonly hasEnded: boolean;
  /** The number of segments that a delta update skips at the start. */
  readonly skipped: number;
  readonly segments: readonly ReadSegment[];
  /** Null if no parts are served. */
  readonly lowLatency: ReadLowLatency | null;
}

/** The variants of a master playlist with their URLs, in order. */
export function parseMaster(text: string): { readonly uri: string; readonly attributes: string }[] {
  const lines = text.trimEnd().split('\n');
  expect(lines[0]).to.equal('#EXTM3U');
  const variants: { uri: string; attributes: string }[] = [];
  lines.forEach((line, index) => {
    const [, attributes] = /^#EXT-X-STREAM-INF:(.*)$/.exec(line) ?? [];
    if (attributes !== undefined) variants.push({ uri: lines[index + 1] ?? '', attributes });
    else if (!line.startsWith('#')) expect(lines[index - 1]).to.match(/^#EXT-X-STREAM-INF:/);
  });
  return variants;
}

/** Parses a media playlist strictly: an unknown, misplaced or missing tag is an error. */
export function parseMedia(text: string): ReadPlaylist {
  expect(text.startsWith('#EXTM3U\n'), 'begins with EXTM3U').to.equal(true);
  expect(text.endsWith('\n')).to.equal(true);
  const header = new Map<string, string>();
  const segments: ReadSegment[] = [];
  let next = { discontinuities: 0, map: '', date: '', duration: '', mapTag: false };
  let hasEnded = false;
  const parts: ReadPart[] = [];
  const reports: ReadLowLatency['reports'][number][] = [];
  let hint: string | null = null;
  for (const line of text.trimEnd().split('\n').slice(1)) {
    expect(hasEnded, 'no lines after ENDLIST').to.equal(false);
    if (hint !== null || reports.length > 0)
      expect(line, 'after the last segment').to.match(/^#EXT-X-(RENDITION-REPORT|PRELOAD-HINT):/);
    const [, tag = '', value = ''] = /^#(EXT[A-Z-]*)(?::(.*))?$/.exec(line) ?? [];
    if (tag === 'EXT-X-DISCONTINUITY') next.discontinuities += 1;
    else if (tag === 'EXT-X-MAP') next = { ...next, map: attribute(value, 'URI'), mapTag: true };
    else if (tag === 'EXT-X-PROGRAM-DATE-TIME') next.date = value;
    else if (tag === 'EXTINF') next.duration = value;
    else if (tag === 'EXT-X-PART') parts.push(partOf(value, next, { segments, parts, header }));
    else if (tag === 'EXT-X-PRELOAD-HINT')
      hint = takeOnce(new Map(hint === null ? [] : [[tag, hint]]), tag, attribute(value, 'URI'));
    else if (tag === 'EXT-X-RENDITION-REPORT') reports.push(reportOf(value));
    else if (tag === 'EXT-X-ENDLIST') hasEnded = true;
    else if (headerTags.includes(tag)) header.set(tag, takeOnce(header, tag, value));
    else {
      expect(line, 'an unknown line').not.to.match(/^#/);
      segments.push(segmentOf(line, next, segments.at(-1), header));
      next = { discontinuities: 0, map: next.map, date: '', duration: '', mapTag: false };
    }
  }
  const isUnfinished = (parts.at(-1)?.sequence ?? -1) > (segments.at(-1)?.sequence ?? -1);
  expect(next).to.include({ duration: '', ...(isUnfinished ? {} : { discontinuities: 0, date: '', mapTag: false }) });
  const number = (tag: string): number => {
    expect(header.get(tag), tag).to.match(/^\d+$/);
    return Number(header.get(tag));
  };
  return {
    targetDurationSeconds: number('EXT-X-TARGETDURATION'),
    mediaSequence: number('EXT-X-MEDIA-SEQUENCE'),
    discontinuitySequence: number('EXT-X-DISCONTINUITY-SEQUENCE'),
    skipped: skippedBy(header),
    ...{ hasEnded, segments },
    lowLatency: lowLatencyOf(header, { parts, hint, reports }),
  };
}

function lowLatencyOf(
  header: ReadonlyMap<string, string>,
  read: Pick<ReadLowLatency, 'parts' | 'hint' | 'reports'>,
): ReadLowLatency | null {
  const control = header.get('EXT-X-SERVER-CONTROL') ?? '';
  const [, target] = /^PART-TARGET=([\d.]+)$/.exec(header.get('EXT-X-PART-INF') ?? '') ?? [];
  const [, holdBack] = /(?:^|,)PART-HOLD-BACK=([\d.]+)/.exec(control) ?? [];
  const isBlocking = /(?:^|,)CAN-BLOCK-RELOAD=YES/.test(control);
  expect([holdBack !== undefined, isBlocking], 'PART-HOLD-BACK, CAN-BLOCK-RELOAD').to.deep.equal([!!target, !!target]);
  if (target !== undefined) return { partTargetSeconds: Number(target), holdBackSeconds: Number(holdBack), ...read };
  expect(read, 'parts without PART-INF').to.deep.equal({ parts: [], hint: null, reports: [] });
  return null;
}

function partOf(
  value: string,
  tags: SegmentTags,
  read: { segments: readonly ReadSegment[]; parts: readonly ReadPart[]; header: ReadonlyMap<string, string> },
): ReadPart {
  const [, duration = '', uri = '', independent] =
    /^DURATION=(\d+\.\d{3,6}),URI="([^"]+)"(,INDEPENDENT=YES)?$/.exec(value) ?? [];
  expect(uri, `part ${value}`).not.to.equal('');
  // The tags of a segment precede its first part.
  const { sequence, discontinuity, map } = segmentOf(
    uri,
    { ...tags, duration: `${duration},` },
    read.segments.at(-1),
    read.header,
  );
  const before = read.parts.at(-1);
  const part = before?.sequence === sequence ? before.part + 1 : 0;
  return {
    sequence,
    discontinuity,
    part,
    uri,
    map,
    durationSeconds: Number(duration),
    isIndependent: independent !== undefined,
  };
}

function reportOf(value: string): ReadLowLatency['reports'][number] {
  const [, uri = '', sequence, part] = /^URI="([^"]+)",LAST-MSN=(\d+)(?:,LAST-PART=(\d+))?$/.exec(value) ?? [];
  expect(uri, `report ${value}`).not.to.equal('');
  return { uri, sequence: Number(sequence), part: part === undefined ? null : Number(part) };
}

const headerTags = [
  'EXT-X-VERSION',
  'EXT-X-TARGETDURATION',
  'EXT-X-MEDIA-SEQUENCE',
  'EXT-X-DISCONTINUITY-SEQUENCE',
  'EXT-X-INDEPENDENT-SEGMENTS',
  'EXT-X-SERVER-CONTROL',
  'EXT-X-PART-INF',
  'EXT-X-SKIP',
];

function takeOnce(header: ReadonlyMap<string, string>, tag: string, value: string): string {
  expect(header.has(tag), `${tag} once`).to.equal(false);
  return value;
}

function attribute(list: string, name: string): string {
  const [, value = ''] = new RegExp(`(?:^|,)${name}="([^"]+)"`).exec(list) ?? [];
  expect(value, `${name} of ${list}`).not.to.equal('');
  return value;
}

function skippedBy(header: ReadonlyMap<string, string>): number {
  const [, skipped = '0'] = /SKIPPED-SEGMENTS=(\d+)/.exec(header.get('EXT-X-SKIP') ?? '') ?? [];
  return Number(skipped);
}

interface SegmentTags {
  readonly discontinuities: number;
  readonly map: string;
  readonly date: string;
  readonly duration: string;
  readonly mapTag: boolean;
}

function segmentOf(
  uri: string,
  tags: SegmentTags,
  previous: ReadSegment | undefined,
  header: ReadonlyMap<string, string>,
): ReadSegment {
  const first = Number(header.get('EXT-X-MEDIA-SEQUENCE')) + skippedBy(header);
  const before = previous?.discontinuity ?? Number(header.get('EXT-X-DISCONTINUITY-SEQUENCE'));
  const startsAtMs = Date.parse(tags.date);
  expect(startsAtMs, `PROGRAM-DATE-TIME of ${uri}`).to.be.a('number').and.not.NaN;
  expect(tags.duration, `EXTINF of ${uri}`).to.match(/^\d+\.\d{3,6},$/);
  // Captions have no MAP.
  const hasMap = !uri.endsWith('.vtt');
  expect(tags.map !== '', `MAP of ${uri}`).to.equal(hasMap);
  if (hasMap && (tags.discontinuities > 0 || !previous))
    expect(tags.mapTag, `MAP after the discontinuity at ${uri}`).to.equal(true);
  const isFirst = !previous && skippedBy(header) === 0;
  if (isFirst) expect(tags.discontinuities, 'DISCONTINUITY before the first segment').to.equal(0);
  return {
    ...{ uri, startsAtMs, map: tags.map },
    sequence: previous ? previous.sequence + 1 : first,
    discontinuity: before + tags.discontinuities,
    durationSeconds: Number.parseFloat(tags.duration),
  };
}
