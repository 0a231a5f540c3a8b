/*
 * For how long the address of a listed segment is valid. It depends on the start of the segment alone, and not on the time
 * at which a playlist is written: so the address that was listed for a number never changes.
 */

const stepSeconds = 10 * 60;
/**
 * An address is valid for this long after the end of its step: players may keep what they have read in a list. Files that a channel has
 * played are kept for longer than both together (`partsKeptSeconds`).
 */
const marginSeconds = 20 * 60;

/** The ten minutes in which a segment starts (microseconds since 1970), as a number. */
export function addressStep(startsAt: number): number {
  return Math.floor(startsAt / (stepSeconds * 1e6));
}

/** When the addresses of a step expire: seconds since 1970. */
export function addressExpirySeconds(step: number): number {
  return (step + 1) * stepSeconds + marginSeconds;
}
