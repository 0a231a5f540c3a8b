export {
  HeldElsewhereError,
  LeaseLostError,
  LeaseNotRenewedError,
  LeaseRenewal,
  claimWork,
  keepAfterFailure,
  lease,
  leaseSeconds,
  newLeaseOwner,
  underLease,
  type Claim,
} from './lease.js';
