import type { BidRequest } from '@placard/contract/openrtb'
import type { ReaderFields } from '../../decisions/index.ts'
import { countryOf } from '../shared/country-codes.ts'
import { fieldAt, fieldsOf, listOf, textOf } from './fields.ts'
import { hasSignals, signalsOf } from './signals.ts'

type Said = Pick<ReaderFields, 'userId' | 'context' | 'signals' | 'pageUrl' | 'language'>

/** What a bid request says of its reader. `context` counts only where a key vouches for it. */
export function readerFieldsOf(request: BidRequest): Said {
  const { device, site } = request
  return {
    userId: userIdOf(request),
    context: device && {
      ip: device.ip ?? device.ipv6,
      userAgent: device.ua,
      country: countryOf(device.geo?.country),
      language: device.language,
      referrer: site?.ref,
    },
    signals: hasSignals(request) ? signalsOf(request) : undefined,
    pageUrl: site?.page,
    language: device?.language,
  }
}

/** Ids that a publisher's own page keeps come first. */
const OWN_SOURCES: ReadonlySet<string> = new Set(['pubcid.org', 'sharedid.org'])
const USER_ID_MAX = 200

/** The publisher's own id, else the first shared one as `source:id`. */
function userIdOf({ user }: BidRequest): string | undefined {
  if (user === undefined) return undefined
  const own = textOf(user.id, USER_ID_MAX)
  if (own !== undefined) return own
  const eids = user.eids ?? listOf(fieldAt(user.ext, 'eids'))
  const ids = eids.slice(0, EIDS_MAX).flatMap((eid) => sharedIdOf(eid) ?? [])
  const owned = ids.find(({ source }) => OWN_SOURCES.has(source)) ?? ids[0]
  return owned && textOf(`${owned.source}:${owned.id}`, USER_ID_MAX)
}

const EIDS_MAX = 100

function sharedIdOf(eid: unknown) {
  const { source, uids } = fieldsOf(eid)
  const id = textOf(fieldAt(listOf(uids)[0], 'id'))
  const name = textOf(source)
  return name === undefined || id === undefined ? undefined : { source: name, id }
}
