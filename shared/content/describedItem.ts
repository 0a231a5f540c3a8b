import { column } from '../platform/database/model.js';

/*
 * The descriptive fields of items: a name or title, a description, a thumbnail and tags. Box items, bundles, live channels and
 * events, cast channels, streams and programs have their own columns; VOD and marketplace items show those of their box item.
 */

/** The columns in addition to the name or title. */
export const describedColumns = {
  description: column.text().nullable(),
  /** Chosen by the owner. */
  thumbnailId: column.uuid().nullable(),
  tags: column.textArray().withDefault(),
};

/** The stored and shown fields of an item. */
export interface DescribedItem {
  readonly description: string | null;
  readonly thumbnailId: string | null;
  readonly tags: readonly string[];
}

export interface NamedItem extends DescribedItem {
  readonly name: string;
}

export interface TitledItem extends DescribedItem {
  readonly title: string;
}

/** The fields that an owner sends. A change keeps the values of omitted members, and removes empty ones. */
export interface DescribedInput {
  readonly description?: string | undefined;
  readonly thumbnailId?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

export interface NamedInput extends DescribedInput {
  readonly name: string;
}

export interface TitledInput extends DescribedInput {
  readonly title: string;
}

/** The searched fields of such items. */
export type NamedTexts = Pick<NamedItem, 'name' | 'description'> & { readonly tags: string[] };
export const namedTexts: readonly (keyof NamedTexts)[] = ['name', 'description', 'tags'];

export type TitledTexts = Pick<TitledItem, 'title' | 'description'> & { readonly tags: string[] };
export const titledTexts: readonly (keyof TitledTexts)[] = ['title', 'description', 'tags'];
