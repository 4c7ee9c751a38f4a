import { TCString, type TCModel } from '@iabtcf/core'
import type { Permissions } from './permissions.ts'

/** A segment of the string that holds the publisher's own purposes begins with the bits 011. */
const PUBLISHER_SEGMENT = /^[Y-Za-f]/

type PurposeTest = (purpose: number) => boolean

/**
 * TCF 2: Placard is run by the publisher, so the purposes of the core string and, where there is one,
 * those of the publisher segment must both allow a use. Throws at a broken string.
 */
export function judgeTcString(text: string, vendorId: number | undefined): Permissions {
  const model = TCString.decode(text)
  const consents = consentsOf(model, text)
  const interests = interestsOf(model, text)
  const vendor = vendorOf(model, vendorId)
  const mayStore = consents(1) && vendor.hasConsent
  return {
    mayStore,
    mayIdentify: mayStore,
    mayPersonalise: consents(3) && consents(4) && vendor.hasConsent,
    mayMeasure: (consents(7) && vendor.hasConsent) || (interests(7) && vendor.hasInterest),
    maySelect: (consents(2) && vendor.hasConsent) || (interests(2) && vendor.hasInterest),
    isChild: false,
  }
}

function consentsOf(model: TCModel, text: string): PurposeTest {
  const { purposeConsents, publisherConsents } = model
  if (!hasPublisherSegment(text)) return (purpose) => purposeConsents.has(purpose)
  return (purpose) => purposeConsents.has(purpose) && publisherConsents.has(purpose)
}

/** Purposes 2 and 7 may rest on a legitimate interest that the reader has not objected to. */
function interestsOf(model: TCModel, text: string): PurposeTest {
  const { purposeLegitimateInterests, publisherLegitimateInterests } = model
  if (!hasPublisherSegment(text)) return (purpose) => purposeLegitimateInterests.has(purpose)
  return (purpose) =>
    purposeLegitimateInterests.has(purpose) && publisherLegitimateInterests.has(purpose)
}

function vendorOf({ vendorConsents, vendorLegitimateInterests }: TCModel, id: number | undefined) {
  if (id === undefined) return { hasConsent: true, hasInterest: true }
  return { hasConsent: vendorConsents.has(id), hasInterest: vendorLegitimateInterests.has(id) }
}

const hasPublisherSegment = (text: string): boolean =>
  text
    .split('.')
    .slice(1)
    .some((segment) => PUBLISHER_SEGMENT.test(segment))
