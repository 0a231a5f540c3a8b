/** The body as a form if it contains a file, else null. */
export function formOf(body: unknown): FormData | null {
  const members = Object.entries(body ?? {}).flatMap(([name, value]: [string, unknown]) =>
    (Array.isArray(value) ? value : [value]).map((part: unknown) => [name, part] as const),
  );
  if (!members.some(([, value]) => value instanceof Blob)) return null;
  const form = new FormData();
  for (const [name, value] of members)
    // `append` converts numbers and booleans to text.
    if (value !== undefined && value !== null) form.append(name, value as string | Blob);
  return form;
}
