import type { GenerationFiles, SegmentedRendition } from '../content/segmentFiles.js';
import type { Context } from '../platform/context.js';
import { contextPart } from '../platform/contextParts.js';
import { RefreshedCache } from '../platform/refreshedCache.js';
import { CastCut, CastSlate, type StoredRendition } from './cast.model.js';

interface CutAndSlateFiles {
  readonly cuts: RefreshedCache<GenerationFiles>;
  readonly slates: RefreshedCache<readonly SegmentedRendition[]>;
}

const maxEntries = 2_000;

/** The files of cuts and slates, by id. They never change. */
const cutAndSlateFiles = contextPart((): CutAndSlateFiles => {
  const options = { lifetimeMs: Number.POSITIVE_INFINITY, maxEntries };
  return { cuts: new RefreshedCache(options), slates: new RefreshedCache(options) };
});

/** The storage key of a file of a cut or slate. */
export function castFileKey(folder: string, file: string): string {
  return `cast/${folder}/${file}`;
}

/** The files of a cut, one for each rendition and track. Cached by this process. Null: it is not stored. */
export function cutFilesOf(ctx: Context, cutId: string): Promise<GenerationFiles | null> {
  return cutAndSlateFiles(ctx).cuts.get(cutId, async () => {
    const cut = await ctx.db.model(CastCut).findByPk(cutId);
    if (!cut?.renditions) return null;
    return { video: segmentedRenditions(cut, cut.renditions), audio: segmentedRenditions(cut, cut.audio ?? []) };
  });
}

/** The rendition of a slate, with its files: `slateFileIndex`. Cached by this process. Null: it is not stored. */
export function slateFilesOf(ctx: Context, slateId: string): Promise<readonly SegmentedRendition[] | null> {
  return cutAndSlateFiles(ctx).slates.get(slateId, async () => {
    const slate = await ctx.db.model(CastSlate).findByPk(slateId);
    return slate?.renditions ? segmentedRenditions(slate, slate.renditions) : null;
  });
}

function segmentedRenditions(
  { id, folder }: Pick<CastCut | CastSlate, 'id' | 'folder'>,
  stored: readonly StoredRendition[],
): readonly SegmentedRendition[] {
  return stored.map(({ name, map, files }) => ({
    name,
    fileOf: (index) => {
      const file = files[index];
      if (file === undefined) throw new Error(`cut or slate ${id} has no segment ${index} in ${name}`);
      return { key: castFileKey(folder, file), map: castFileKey(folder, map) };
    },
  }));
}
