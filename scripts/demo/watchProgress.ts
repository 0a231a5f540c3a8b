import type { Client } from './client.js';

/** Hears a box item's progress from its event stream until told to stop; who only wants the end need not hear of its failures. */
export function watchProgress(
  client: Client,
  boxId: string,
  token: string,
  onPercent: (percent: number) => void,
): () => void {
  const stop = new AbortController();
  void follow(client, boxId, token, onPercent, stop.signal).catch(() => {});
  return () => stop.abort();
}

async function follow(
  client: Client,
  boxId: string,
  token: string,
  onPercent: (percent: number) => void,
  signal: AbortSignal,
): Promise<void> {
  for await (const event of client.events<{ progress?: number; percent?: number }>(
    `/api/box/${boxId}/status/events`,
    token,
    signal,
  )) {
    const percent = event.progress ?? event.percent;
    if (percent !== undefined) onPercent(percent);
  }
}
