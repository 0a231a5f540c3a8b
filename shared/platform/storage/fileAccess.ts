import { chmod, mkdir, stat } from 'node:fs/promises';

/** Permission bits of group and others. */
const allAccess = 0o077;
const groupReads = 0o050;
const othersRead = 0o005;

/** The folders of a process. */
interface Folders {
  readonly files: string;
  /** A web server sends the files, so a folder that is open to all stays open. */
  readonly keepsFilesOpen: boolean;
  readonly onlyOurs: readonly string[];
}

/**
 * Restricts the files that this process writes to its own account. As in PostgreSQL, the mode of a folder decides about the
 * group: with 0750 the group may read the stored files (`docs/deploy.md#accel-group`). Folders that earlier releases created open
 * to all are restricted. Resolves with the folders that remain open.
 */
export async function restrictFileAccess({ files, keepsFilesOpen, onlyOurs }: Folders): Promise<string[]> {
  const mode = (await modeOf(files)) ?? 0;
  const isForGroup = (mode & othersRead) === 0;
  const allowed = keepsFilesOpen ? groupReads | othersRead : isForGroup ? groupReads : 0;
  // Also applies to the work folder: its files are linked to stored files and share their mode.
  process.umask(allAccess & ~(mode & allowed));
  await close(files, allowed);
  for (const folder of onlyOurs) await close(folder, 0);
  const modes = await Promise.all([files, ...onlyOurs].map(async (folder) => ({ folder, mode: await modeOf(folder) })));
  return modes.filter((one) => ((one.mode ?? 0) & othersRead) !== 0).map(({ folder }) => folder);
}

/** Creates a folder that only this account can enter, regardless of the mode of the stored files. */
export async function createPrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/** Folders of other accounts, and those on a file system without modes, are unchanged. */
async function close(folder: string, allowed: number): Promise<void> {
  const mode = await modeOf(folder);
  if (mode === null) return;
  const closed = mode & ~(allAccess & ~allowed);
  if (closed !== mode) await chmod(folder, closed).catch(() => {});
}

/** Null if the folder does not exist: it then gets the mode of the process. */
async function modeOf(folder: string): Promise<number | null> {
  const stats = await stat(folder).catch(() => null);
  return stats && stats.mode & 0o7777;
}
