import { readFile } from 'node:fs/promises';
import { liveCoding, makeVideo, runTool } from './media.js';

/** A video that is copied, in which the frames from 5 s to 7 s have bit errors. */
export async function damagedFilm(): Promise<Buffer> {
  const path = await makeVideo({ seconds: 14, size: '320x180', coding: liveCoding });
  const file = await readFile(path);
  const entries = ['-select_streams', 'v', '-show_entries', 'packet=pts_time,size,pos', '-of', 'csv=p=0'];
  for (const line of (await runTool('ffprobe', [...entries, path])).trim().split('\n')) {
    const [seconds = 0, bytes = 0, position = 0] = line.split(',').map(Number);
    if (seconds < 5 || seconds > 7) continue;
    // Behind the header of the slice.
    for (let at = 60; at < bytes; at += 60) file[position + at] = (file[position + at] ?? 0) ^ 0x10;
  }
  return file;
}
