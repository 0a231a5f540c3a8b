import { defineModel, bigint, integer, text, uuid } from '../platform/database/model.js';

/** A rendition of one generation of a content. */
export const Rendition = defineModel('renditions', {
  contentId: uuid().primaryKey(),
  generation: integer().primaryKey(),
  name: text().primaryKey(),
  position: integer(),
  width: integer(),
  height: integer(),
  videoBits: integer(),
  audioBits: integer(),
  codecs: text().nullable(),
  initKey: text().nullable(),
  bytes: bigint().withDefault(),
});
