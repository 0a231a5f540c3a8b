import { column } from '../platform/database/model.js';

/*
 * What owners say about their items: a name or a title, a description, a thumbnail and tags. Box items, bundles, live channels and
 * events, cast channels, streams and programs have columns of their own; VOD and marketplace items show those of their box item.
 */

/** The columns beside the name or title. */
export const describedColumns = {
  description: column.text().nullable(),
  /** Chosen by the owner. */
  thumbnailId: column.uuid().nullable(),
  tags: column.textArray().withDefault(),
};

/** An item as it is stored and shown. */
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

/** What an owner sends about an item. What a change leaves out stays, and what is empty is removed. */
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

/** The texts that a search of such items reads. */
export type NamedTexts = Pick<NamedItem, 'name' | 'description'> & { readonly tags: string[] };
export const namedTexts: readonly (keyof NamedTexts)[] = ['name', 'description', 'tags'];

export type TitledTexts = Pick<TitledItem, 'title' | 'description'> & { readonly tags: string[] };
export const titledTexts: readonly (keyof TitledTexts)[] = ['title', 'description', 'tags'];
