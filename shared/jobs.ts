/** Every job. */
export const jobs = [] as const;
