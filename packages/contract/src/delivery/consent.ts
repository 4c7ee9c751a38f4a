import { Type } from 'typebox'

/** What a reader allows, in the body of a request. */
export const Consent = Type.Object(
  {
    storage: Type.Optional(Type.Boolean({ description: 'The reader agrees to being recognised' })),
    personalisation: Type.Optional(
      Type.Boolean({ description: 'The reader agrees to ads chosen by what is known about them' }),
    ),
    gdprApplies: Type.Optional(Type.Boolean({ description: 'Whether the TCF applies' })),
    tcString: Type.Optional(
      Type.String({
        maxLength: 8_192,
        format: 'plain-text',
        description: 'IAB TCF 2 string of the consent platform',
      }),
    ),
    gpp: Type.Optional(
      Type.String({ maxLength: 8_192, format: 'plain-text', description: 'IAB GPP string' }),
    ),
    gppSections: Type.Optional(
      Type.Array(Type.Integer({ minimum: -1, maximum: 63 }), {
        maxItems: 32,
        description: 'Sections of the GPP string that apply',
      }),
    ),
    usPrivacy: Type.Optional(
      Type.String({
        maxLength: 8,
        format: 'plain-text',
        description: 'US privacy string, such as 1YNN',
      }),
    ),
    isChild: Type.Optional(Type.Boolean({ description: 'COPPA applies' })),
  },
  { examples: [{ storage: true, personalisation: true }] },
)

/** The names that players and wrappers use in addresses. */
export const CONSENT_QUERY = {
  gdpr: Type.Optional(
    Type.String({ maxLength: 32, format: 'plain-text', description: '1 where the TCF applies' }),
  ),
  gdpr_consent: Type.Optional(
    Type.String({ maxLength: 8_192, format: 'plain-text', description: 'IAB TCF 2 string' }),
  ),
  gpp: Type.Optional(
    Type.String({ maxLength: 8_192, format: 'plain-text', description: 'IAB GPP string' }),
  ),
  gpp_sid: Type.Optional(
    Type.String({
      maxLength: 200,
      format: 'plain-text',
      description: 'Sections of it that apply, with commas',
    }),
  ),
  us_privacy: Type.Optional(
    Type.String({ maxLength: 64, format: 'plain-text', description: 'US privacy string' }),
  ),
  coppa: Type.Optional(
    Type.String({ maxLength: 32, format: 'plain-text', description: '1 for a child' }),
  ),
}
