import type { NewItem } from '../../../shared/box/box.model.js';
import { plainFileName } from '../../../shared/platform/formats/contentDisposition.js';
import type { Context } from '../../../shared/platform/context.js';
import { normalizeBody, validate } from '../../../shared/platform/validation.js';
import { maxTitleLength } from '../../http/describedItemFields.js';
import { resumableUploadBody } from '../box.schemas.js';

/** The form's fields and the file's name. */
export interface UploadMetadata {
  readonly fileName: string;
  readonly fields: NewItem;
}

/** Pairs of `Upload-Metadata`, decoded. A key without a value is null. */
export type MetadataPairs = Readonly<Record<string, string | null>>;

/** Keys are unique, in ASCII without space and comma; values are Base64. Null: the header is malformed. */
export function parseMetadata(header: string): MetadataPairs | null {
  const pairs = new Map<string, string | null>();
  for (const pair of header.split(',')) {
    const [, key, value] =
      /^([\x21-\x2b\x2d-\x7f]+)(?: ((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?))?$/.exec(pair) ??
      [];
    if (key === undefined || pairs.has(key)) return null;
    pairs.set(key, value ? Buffer.from(value, 'base64').toString('utf8') : null);
  }
  return Object.fromEntries(pairs);
}

/**
 * The keys are the part names of the form of `POST /api/box`. Keys cannot be repeated, so each line of `tag` is a tag. The file
 * name is in `filename`, or in `name`, as Uppy sends it; it replaces a missing `title`. Other keys are ignored. Throws
 * ValidationError.
 */
export function readUploadMetadata(ctx: Context, pairs: MetadataPairs): UploadMetadata {
  const { contentIdentifier, description, tag, thumbnailId } = pairs;
  const fileName = plainFileName(pairs['filename'] ?? pairs['name'] ?? '');
  const title = pairs['title']?.trim() || titleFrom(fileName);
  const sent = { title, contentIdentifier, description, tag: tag?.split('\n'), thumbnailId };
  const members = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined && value !== null));
  const { tag: tags, ...described } = validate(resumableUploadBody, normalizeBody(members), ctx);
  return { fileName, fields: { ...described, ...(tags ? { tags } : {}) } };
}

/** The file name without its extension, cut to the length of a title without splitting a surrogate pair. */
function titleFrom(fileName: string): string | undefined {
  const name = fileName.replace(/(?<=.)\.[a-z0-9]{1,5}$/i, '').trim();
  return name.slice(0, maxTitleLength).replace(/[\uD800-\uDBFF]$/, '') || undefined;
}
