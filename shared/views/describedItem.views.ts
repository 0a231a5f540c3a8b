import type { DescribedItem, NamedItem, TitledItem } from '../content/describedItem.js';

/* Name or title, description, thumbnail and tags of an item. */

export function namedView({ name, ...described }: NamedItem) {
  return { name, ...describedView(described) };
}

export function titledView({ title, ...described }: TitledItem) {
  return { title, ...describedView(described) };
}

/** Empty members are left out. */
function describedView({ description, thumbnailId, tags: given }: DescribedItem) {
  return {
    ...(description ? { description } : {}),
    ...(thumbnailId ? { thumbnailId } : {}),
    ...(given.length > 0 ? { tags: given } : {}),
  };
}
