import type { PlanDetails } from '../license/plan.queries.js';
import { formatPrice } from '../platform/formats/format.js';

/** License of `docs/contract.md#fields-license`. */
export function licenseView(plan: PlanDetails) {
  return {
    id: plan.id,
    name: plan.name,
    price: formatPrice(plan.priceCents),
    dayDuration: plan.dayDuration,
    storage: plan.storageGigabytes,
    band: plan.bandGigabytes,
    maxVideoSize: plan.maxVideoGigabytes,
    maxUploadNumber: plan.maxUploadNumber,
    support: plan.support,
    streamingAmount: plan.streamingAmount,
  };
}
