import { castGenerations } from './cast/castGenerations.queries.js';
import type { RetainedGenerations } from './content/retainedGenerations.js';

/** The generations of a content that must be retained: those used by cast channels. */
export const retainedGenerations: RetainedGenerations = castGenerations;
