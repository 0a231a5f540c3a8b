import { isUuid } from '../platform/formats/format.js';

/** `urn:<ns>:content:<uuid>`; the namespace may contain a colon (`docs/contract.md#choices-names`). */
export function contentUrn(namespace: string, contentId: string): string {
  return `urn:${namespace}:content:${contentId}`;
}

/** The UUID in a content's URN, in lower case; undefined for another namespace or format. */
export function parseContentUrn(namespace: string, urn: string): string | undefined {
  const prefix = contentUrn(namespace, '');
  const id = urn.slice(prefix.length).toLowerCase();
  const ours = urn.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase();
  return ours && isUuid(id) ? id : undefined;
}
