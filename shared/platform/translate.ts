import type { Translate } from './i18n.js';

export function createTranslate(): Translate {
  throw new Error('to be built');
}
