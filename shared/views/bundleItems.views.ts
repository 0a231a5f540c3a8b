import type { OrderedBundle, PublishedOrderedBundle } from '../bundle/bundleItems.queries.js';
import type { VodDetails } from '../vod/vod.queries.js';
import { contentMembersView } from './contentMembers.views.js';
import { bundleView, publicBundleView } from './bundle.views.js';

/** A bundle with its items, for its owner; `docs/contract.md#bundle-items`. */
export function orderedBundleView({ bundle, items }: OrderedBundle, urnNamespace: string) {
  return { bundle: bundleView(bundle), items: items.map((item) => itemView(item, urnNamespace)) };
}

/** The public view of a bundle with its items. */
export function publicOrderedBundleView({ items, ...published }: PublishedOrderedBundle, urnNamespace: string) {
  return { bundle: publicBundleView(published), items: items.map((item) => itemView(item, urnNamespace)) };
}

/** Bundle item of `docs/contract.md#fields-ordered-bundle`: a VOD item, so its `itemCode` is its `vodId`. */
function itemView(item: VodDetails, urnNamespace: string) {
  return {
    itemCode: item.id,
    vodId: item.id,
    boxId: item.boxItemId,
    ...contentMembersView(item, urnNamespace),
  };
}
