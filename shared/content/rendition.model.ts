import { column, defineModel } from '../platform/database/model.js';

/** A rendition of one generation of a content. */
export const Rendition = defineModel('renditions', {
  contentId: column.uuid().primaryKey(),
  generation: column.integer().primaryKey(),
  name: column.text().primaryKey(),
  position: column.integer(),
  width: column.integer(),
  height: column.integer(),
  videoBits: column.integer(),
  audioBits: column.integer(),
  codecs: column.text().nullable(),
  initKey: column.text().nullable(),
  bytes: column.bigint().withDefault(),
});
