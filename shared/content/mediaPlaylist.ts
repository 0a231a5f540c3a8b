/** A segment in a stored media playlist; addresses are relative to the playlist. */
export interface ContentSegment {
  readonly uri: string;
  readonly map: string;
  readonly durationSeconds: number;
  /** Its timestamps do not continue those of the previous segment. */
  readonly isDiscontinuous: boolean;
}

/** Parses a media playlist that the service has written (`playlists.ts`). */
export function readMediaPlaylist(playlist: string): ContentSegment[] {
  const segments: ContentSegment[] = [];
  let map = '';
  let durationSeconds = 0;
  let isDiscontinuous = false;
  for (const line of playlist.split('\n')) {
    if (line === '#EXT-X-DISCONTINUITY') isDiscontinuous = true;
    else if (line.startsWith('#EXT-X-MAP:')) map = /URI="([^"]*)"/.exec(line)?.[1] ?? '';
    else if (line.startsWith('#EXTINF:')) durationSeconds = Number.parseFloat(line.slice('#EXTINF:'.length));
    else if (line !== '' && !line.startsWith('#')) {
      segments.push({ uri: line, map, durationSeconds, isDiscontinuous });
      isDiscontinuous = false;
    }
  }
  return segments;
}
