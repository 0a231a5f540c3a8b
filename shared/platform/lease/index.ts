export { HeldElsewhereError, claimWork, type Claim } from './claimWork.js';
export { lease, leaseSeconds, newLeaseOwner } from './lease.js';
export { LeaseLostError, LeaseNotRenewedError, LeaseRenewal } from './leaseRenewal.js';
export { reclaimAfterFailure, underLease } from './underLease.js';
