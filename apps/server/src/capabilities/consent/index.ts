export { type ConsentSignals, createConsentReader, type ReadConsent } from './consent.ts'
export { ALLOWED, type Permissions } from './permissions.ts'
export { consentOf } from './request.ts'
