import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';

/** Playlists of one channel, read again and again from several web processes. */
export interface PlaylistWatch {
  /** Fails where two processes have written different playlists. Resolves with the number of versions that were compared. */
  stop(): Promise<number>;
}

const pauseMs = 150;

/** The processes are asked at the same time. One that is down is left out meanwhile. */
export function watchPlaylists(addresses: readonly string[]): PlaylistWatch {
  const versions: string[][] = addresses.map(() => []);
  const statuses = new Set<number>();
  const stopping = new AbortController();
  const read = async (address: string, seen: string[]): Promise<void> => {
    while (!stopping.signal.aborted) {
      const response = await fetch(address).catch(() => null);
      const text = (await response?.text().catch(() => null)) ?? null;
      if (response) statuses.add(response.status);
      if (response?.status === 200 && text !== null && text !== seen.at(-1)) seen.push(text);
      await sleep(pauseMs);
    }
  };
  const ended = addresses.map((address, index) => read(address, versions[index] as string[]));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(ended);
      expect([...statuses], 'statuses').to.deep.equal([200]);
      for (const seen of versions) expect(new Set(seen).size, 'a version came again').to.equal(seen.length);
      const byNumber = new Map<string, string>();
      for (const text of versions.flat()) {
        // A version is known by its first and last number: what is listed in between is given by them.
        const key = `${/MEDIA-SEQUENCE:\d+/.exec(text)?.[0]} ${text.match(/#EXTINF/g)?.length}`;
        expect(text, `playlist ${key}`).to.equal(byNumber.get(key) ?? text);
        byNumber.set(key, text);
      }
      return byNumber.size;
    },
  };
}
