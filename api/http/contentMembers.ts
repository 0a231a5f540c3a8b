import type { SchemaMap } from 'joi';
import { titledResponse } from './describedItemFields.js';
import { wire } from './fields.js';

/**
 * The members that published items, offers and bundle items copy from box item and content:
 * `docs/contract.md#conventions`.
 */
export const contentMembers: SchemaMap = {
  contentId: wire.contentId().required(),
  ...titledResponse,
  resourceId: wire.id().required(),
  duration: wire.duration().required(),
};
