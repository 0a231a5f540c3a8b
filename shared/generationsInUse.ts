import { castGenerations } from './cast/castGenerations.queries.js';
import type { RetainedGenerations } from './content/retainedGenerations.js';

/** The generations of a content that are still needed: those in the parts of cast channels. */
export const retainedGenerations: RetainedGenerations = castGenerations;
