/** Storage key of an uploaded file. Its folder belongs to a single content. */
export function sourceKey(uploadId: string): string {
  return `sources/${uploadId}/original`;
}
