import { Type } from 'typebox'
import { choice, optional, text } from './setting.ts'

/** What a reader's refusal means for ads. */
export const CONSENT_SETTINGS = {
  CONSENT_WITHOUT_P2: choice(
    'Of a reader who refuses TCF purpose 2: an ad chosen by page and place, or `none`',
    ['contextual', 'none'],
  ),
  TCF_VENDOR_ID: optional(
    Type.Integer({
      description: 'Number in the Global Vendor List; with it that vendor needs consent, too',
      minimum: 1,
      maximum: 65_535,
    }),
  ),
  CHILD_BLOCKED_AD_PRODUCTS: text(
    'Ad products (IAB Ad Product Taxonomy 2.0) that children do not see, with all below them. Default: adult products, alcohol, dating, gambling, pharmaceuticals, tobacco, weapons',
    { default: '1001,1002,1259,1361,1473,1544,1576', pattern: '^([0-9]+(,[0-9]+)*)?$' },
  ),
}
