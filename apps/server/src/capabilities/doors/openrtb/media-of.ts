import type { Imp } from '@placard/contract/openrtb'
import { BANNER_FORMATS, requestedBanner } from './banner.ts'
import type { RequestedMedia } from './media.ts'
import { requestedNative } from './native.ts'
import { requestedVideo } from './video.ts'

/** Banner types of OpenRTB: 2 is a picture with a link; 3 and 4 are scripts and frames. */
const PICTURE_TYPE = 2
const MARKUP_TYPES: ReadonlySet<number> = new Set([3, 4])
/** Creative attribute: the reader plays with it. Only an advertiser's own markup can. */
const INTERACTIVE = 13

/** What an impression can show. Empty if nothing of it is for sale, or none of it can be read. */
export function mediaOf({ banner, video, native }: Imp): readonly RequestedMedia[] {
  const asked = [
    banner && requestedBanner(sizesOf(banner), formatsOf(banner)),
    video && requestedVideo(video),
    native && requestedNative(native),
  ]
  return asked.filter((one) => one !== undefined)
}

type Banner = NonNullable<Imp['banner']>

function sizesOf({ format = [], w, h }: Banner): readonly string[] {
  const sizes = format.length > 0 ? format : [{ w, h }]
  return [...new Set(sizes.flatMap(({ w, h }) => (w && h ? `${w}x${h}` : [])))]
}

function formatsOf({ btype = [], battr = [] }: Banner): ReadonlySet<string> {
  const refusesMarkup = btype.some((type) => MARKUP_TYPES.has(type)) || battr.includes(INTERACTIVE)
  const refusesPicture = btype.includes(PICTURE_TYPE)
  if (!refusesMarkup && !refusesPicture) return BANNER_FORMATS
  return new Set([...(refusesPicture ? [] : ['single_image']), ...(refusesMarkup ? [] : ['html'])])
}
