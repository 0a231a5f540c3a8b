/** Storage key of an uploaded file. Its folder belongs to one content alone. */
export function sourceKey(uploadId: string): string {
  return `sources/${uploadId}/original`;
}
