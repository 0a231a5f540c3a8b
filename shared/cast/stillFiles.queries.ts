import type { SegmentedRendition } from '../content/segmentFiles.js';
import type { Context } from '../platform/context.js';
import { RefreshedCache } from '../platform/refreshedCache.js';
import { CastCut, CastSlate } from './cast.model.js';

declare module '../platform/context.js' {
  interface Context {
    /** The renditions of cuts and slates, by their ids. Their files never change. */
    readonly stillFiles: StillFiles;
  }
}

export type StillFiles = RefreshedCache<readonly SegmentedRendition[]>;

const maximumKept = 2_000;

export function createStillFiles(): StillFiles {
  return new RefreshedCache({ lifetimeMs: Number.POSITIVE_INFINITY, maximum: maximumKept });
}

/** The storage key of a file of a cut or slate. */
export function stillFileKey(folder: string, file: string): string {
  return `cast/${folder}/${file}`;
}

/** The renditions of a cut, with its one file. Read once by this process. Null where it is not stored. */
export function cutFilesOf(ctx: Context, cutId: string): Promise<readonly SegmentedRendition[] | null> {
  return ctx.stillFiles.get(cutId, async () => renditionsOf(await ctx.db.model(CastCut).findByPk(cutId)));
}

/** The rendition of a slate, with its files: `slateFileIndex`. Read once by this process. Null where it is not stored. */
export function slateFilesOf(ctx: Context, slateId: string): Promise<readonly SegmentedRendition[] | null> {
  return ctx.stillFiles.get(slateId, async () => renditionsOf(await ctx.db.model(CastSlate).findByPk(slateId)));
}

function renditionsOf(
  still: Pick<CastCut | CastSlate, 'id' | 'folder' | 'renditions'> | null,
): readonly SegmentedRendition[] | null {
  if (!still?.renditions) return null;
  const { id, folder, renditions } = still;
  return renditions.map(({ name, map, files }) => ({
    name,
    fileOf: (index) => {
      const file = files[index];
      if (file === undefined) throw new Error(`cut or slate ${id} has no segment ${index} in ${name}`);
      return { key: stillFileKey(folder, file), map: stillFileKey(folder, map) };
    },
  }));
}
