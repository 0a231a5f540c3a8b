import type { CaptionDetails } from '../caption/caption.model.js';

/** Captions of `docs/contract.md#fields-caption`. */
export function captionView({ id, language, label, kind, origin }: CaptionDetails): object {
  return { captionId: id, language, label, kind, automatic: origin === 'AUTOMATIC' };
}
