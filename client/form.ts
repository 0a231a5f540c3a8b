/** The form of a body that contains a file; of every other one null. */
export function formOf(body: unknown): FormData | null {
  const members = Object.entries(body ?? {}).flatMap(([name, value]: [string, unknown]) =>
    (Array.isArray(value) ? value : [value]).map((one: unknown) => [name, one] as const),
  );
  if (!members.some(([, value]) => value instanceof Blob)) return null;
  const form = new FormData();
  for (const [name, value] of members)
    // A form makes a text of numbers and booleans.
    if (value !== undefined && value !== null) form.append(name, value as string | Blob);
  return form;
}
