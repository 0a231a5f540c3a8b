import type { CaptionDetails } from '../caption/caption.model.js';

/** Captions of `docs/contract.md#fields-caption`. */
export function captionView({
  id,
  origin,
  shownByDefault,
  language,
  label,
  kind,
  forced,
  leftOutCues,
}: CaptionDetails): object {
  return {
    captionId: id,
    ...{ language, label, kind, forced, default: shownByDefault },
    automatic: origin === 'AUTOMATIC',
    leftOutCues,
  };
}
