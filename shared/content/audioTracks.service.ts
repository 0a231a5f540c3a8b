import type { Context } from '../platform/context.js';
import { NotFoundError, ValidationError } from '../platform/errors.js';
import type { ContentAudio } from './audioTracks.js';
import { Content } from './content.model.js';

/** The audio tracks of a content: those that are offered, the default one first, and then those that the owner has removed. */
export async function audioTracksOf(ctx: Context, contentId: string): Promise<readonly ContentAudio[]> {
  const content = await ctx.db.model(Content).findByPk(contentId, { attributes: ['audioTracks'] });
  return content?.audioTracks ?? [];
}

/** A track as its owner wants it to be offered. */
export type OfferedTrack = Pick<ContentAudio, 'trackId' | 'language' | 'label'>;

/**
 * Offers these tracks in this order; the others are removed from what viewers are offered, and can be offered again. Throws
 * ValidationError: there is no such track, or two tracks or labels are the same; NotFoundError.
 */
export async function offerAudioTracks(
  ctx: Context,
  contentId: string,
  given: readonly OfferedTrack[],
): Promise<readonly ContentAudio[]> {
  return ctx.db.transaction(async (tx) => {
    const content = await ctx.db
      .model(Content)
      .findByPk(contentId, { attributes: ['audioTracks', 'state'], transaction: tx, lock: 'NO KEY UPDATE' });
    if (!content || content.state === 'DELETED') throw new NotFoundError();
    const known = content.audioTracks ?? [];
    const offered = given.map((track, index) => offeredTrack(known, given, track, index));
    const removed = known.filter(({ trackId }) => !given.some((one) => one.trackId === trackId));
    const audioTracks = [...offered, ...removed.map((track) => ({ ...track, isOffered: false }))];
    const values = { audioTracks, updatedAt: ctx.clock.now() };
    await ctx.db.model(Content).update(values, { where: { id: contentId }, transaction: tx });
    return audioTracks;
  });
}

function offeredTrack(
  known: readonly ContentAudio[],
  given: readonly OfferedTrack[],
  { trackId, language, label }: OfferedTrack,
  index: number,
): ContentAudio {
  const track = known.find((one) => one.trackId === trackId);
  if (!track) throw fault(`tracks[${index}].trackId`, 'unknown', trackId);
  if (given.findIndex((one) => one.trackId === trackId) !== index)
    throw fault(`tracks[${index}].trackId`, 'duplicate', trackId);
  if (given.findIndex((one) => one.label === label) !== index)
    throw fault(`tracks[${index}].label`, 'duplicate', label);
  return { ...track, language, label, isOffered: true };
}

function fault(field: string, code: 'unknown' | 'duplicate', rejectedValue: string | number): ValidationError {
  return new ValidationError([{ field, code, key: `content.audioTrack.${code}`, rejectedValue }]);
}
