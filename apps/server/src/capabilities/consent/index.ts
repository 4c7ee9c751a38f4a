export type { ConsentCounts } from './counts/consent-counts.ts'
export {
  type Consent,
  type ConsentSignals,
  createConsentReader,
  type ReadConsent,
} from './consent.ts'
export { ALLOWED, type Permissions } from './permissions.ts'
export { consentOf, type GivenConsent } from './request.ts'
export { isUnfilledMacro } from './signals.ts'
