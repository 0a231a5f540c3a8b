import type { Context } from '../platform/context.js';
import { NotFoundError, ValidationError } from '../platform/errors.js';
import type { ContentAudio } from './audioTracks.js';
import { Content } from './content.model.js';

/** The audio tracks of a content: the offered tracks, default first, then the tracks that the owner has removed. */
export async function audioTracksOf(ctx: Context, contentId: string): Promise<readonly ContentAudio[]> {
  const content = await ctx.db.model(Content).findByPk(contentId, { attributes: ['audioTracks'] });
  return content?.audioTracks ?? [];
}

/** A track that the owner offers to viewers. */
export type OfferedTrack = Pick<ContentAudio, 'trackId' | 'language' | 'label'>;

/**
 * Offers these tracks to viewers in this order. The other tracks are no longer offered, and can be offered again later. Throws
 * ValidationError if a track does not exist, or if two tracks or labels are equal; NotFoundError.
 */
export async function offerAudioTracks(
  ctx: Context,
  contentId: string,
  requested: readonly OfferedTrack[],
): Promise<readonly ContentAudio[]> {
  return ctx.db.transaction(async (tx) => {
    const content = await ctx.db
      .model(Content)
      .findByPk(contentId, { attributes: ['audioTracks', 'state'], transaction: tx, lock: 'NO KEY UPDATE' });
    if (!content || content.state === 'DELETED') throw new NotFoundError();
    const known = content.audioTracks ?? [];
    const offered = requested.map((track, index) => offeredTrack(known, requested, track, index));
    const removed = known.filter(({ trackId }) => !requested.some((one) => one.trackId === trackId));
    const audioTracks = [...offered, ...removed.map((track) => ({ ...track, isOffered: false }))];
    const values = { audioTracks, updatedAt: ctx.clock.now() };
    await ctx.db.model(Content).update(values, { where: { id: contentId }, transaction: tx });
    return audioTracks;
  });
}

function offeredTrack(
  known: readonly ContentAudio[],
  requested: readonly OfferedTrack[],
  { trackId, language, label }: OfferedTrack,
  index: number,
): ContentAudio {
  const track = known.find((one) => one.trackId === trackId);
  if (!track) throw fault(`tracks[${index}].trackId`, 'unknown', trackId);
  if (requested.findIndex((one) => one.trackId === trackId) !== index)
    throw fault(`tracks[${index}].trackId`, 'duplicate', trackId);
  if (requested.findIndex((one) => one.label === label) !== index)
    throw fault(`tracks[${index}].label`, 'duplicate', label);
  return { ...track, language, label, isOffered: true };
}

function fault(field: string, code: 'unknown' | 'duplicate', rejectedValue: string | number): ValidationError {
  return new ValidationError([{ field, code, key: `content.audioTrack.${code}`, rejectedValue }]);
}
