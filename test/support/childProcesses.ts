import { readdir, readFile } from 'node:fs/promises';
import { eventually } from './eventually.js';

/** Child processes of this process, read from /proc. */
export async function children(): Promise<{ pid: number; name: string }[]> {
  const all = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map(async (pid) => {
        const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
        const [, name = '', parent = ''] = /\((.*)\) \S (\d+)/.exec(status) ?? [];
        return { pid: Number(pid), name, parent: Number(parent) };
      }),
  );
  return all.filter(({ parent }) => parent === process.pid).map(({ pid, name }) => ({ pid, name }));
}

/** The id of an ffmpeg or ffprobe that this process has started, as soon as it exists. */
export async function runningTool(): Promise<number> {
  return eventually(async () => {
    const [found] = (await children()).filter(({ name }) => name.startsWith('ff'));
    if (!found) throw new Error('not started yet');
    return found.pid;
  });
}
