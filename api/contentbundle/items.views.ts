import type { PublishedBundle } from '../../shared/bundle/bundle.entry.js';
import type { BundleItem, OrderedBundle } from '../../shared/bundleitems/bundleItem.entry.js';
import { contentMembersView } from '../http/contentMembers.js';
import { bundleView, publicBundleView } from './contentbundle.views.js';

/** A bundle with its items, for its owner: `docs/contract.md#bundle-items`. */
export function orderedBundleView({ bundle, items }: OrderedBundle, urnNamespace: string) {
  return { bundle: bundleView(bundle), items: items.map((item) => itemView(item, urnNamespace)) };
}

/** The same for everybody. */
export function publicOrderedBundleView(
  { subject, items }: Pick<OrderedBundle, 'items'> & { readonly subject: PublishedBundle },
  urnNamespace: string,
) {
  return { bundle: publicBundleView(subject), items: items.map((item) => itemView(item, urnNamespace)) };
}

/** Bundle item of `docs/contract.md#fields-bundle-item`. An item of a bundle is a published item: both have one id. */
function itemView(item: BundleItem, urnNamespace: string) {
  return {
    itemCode: item.vodId,
    vodId: item.vodId,
    boxId: item.boxItemId,
    ...contentMembersView({ ...item, content: { id: item.contentId, durationMs: item.durationMs } }, urnNamespace),
  };
}
