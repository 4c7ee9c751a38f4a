import type { BidRequest } from '@placard/contract/openrtb'
import type { ConsentSignals } from '../../consent/index.ts'
import { fieldAt, isOn, textOf } from './fields.ts'

const CONSENT_LENGTH_MAX = 16_384

/** What a bid request says of its reader's wishes. 2.5 and Prebid write some of it under `ext`. */
export function signalsOf(request: BidRequest): ConsentSignals {
  const { regs, user } = request
  const gdpr = regs?.gdpr ?? fieldAt(regs?.ext, 'gdpr')
  const extended = textOf(fieldAt(user?.ext, 'consent'), CONSENT_LENGTH_MAX)
  return {
    gdprApplies: gdpr === undefined ? undefined : isOn(gdpr),
    tcString: user?.consent || extended,
    gpp: regs?.gpp || textOf(fieldAt(regs?.ext, 'gpp'), CONSENT_LENGTH_MAX),
    gppSections: regs?.gpp_sid ?? sectionsOf(fieldAt(regs?.ext, 'gpp_sid')),
    usPrivacy: regs?.us_privacy || textOf(fieldAt(regs?.ext, 'us_privacy')),
    isChild: regs?.coppa === 1,
    objection: objectionOf(request),
  }
}

function objectionOf({ regs, device }: BidRequest) {
  if (isOn(fieldAt(regs?.ext, 'gpc'))) return 'gpc'
  if (device?.lmt === 1) return 'limited-tracking'
  return device?.dnt === 1 ? 'dnt' : undefined
}

const SECTIONS_MAX = 32

const sectionsOf = (value: unknown): readonly number[] | undefined =>
  Array.isArray(value)
    ? value.slice(0, SECTIONS_MAX).filter((one) => Number.isInteger(one))
    : undefined

/** Whether the request says anything about consent. Most say nothing, and then nothing is read. */
export const hasSignals = ({ regs, user, device }: BidRequest): boolean =>
  regs !== undefined ||
  device?.lmt === 1 ||
  device?.dnt === 1 ||
  user?.consent !== undefined ||
  fieldAt(user?.ext, 'consent') !== undefined
