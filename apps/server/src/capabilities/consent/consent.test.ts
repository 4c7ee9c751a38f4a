import { GppModel } from '@iabgpp/cmpapi'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ConsentSignals, createConsentReader } from './consent.ts'
import { ALLOWED, both, NOT_FOLLOWED, type Permissions, REFUSED } from './permissions.ts'
import { consentOf } from './request.ts'
import { objectionOfHeaders, signalsOfQuery } from './signals.ts'

/** Says what each signal refuses, without the operator's wish for an ad by page and place. */
const readConsent = createConsentReader({ withoutPurpose2: 'none' })

const permissionsOf = (signals: ConsentSignals): Permissions => {
  const { reason: _, ...permissions } = readConsent(signals)
  return permissions
}

const purposes = (...allowed: number[]) =>
  Array.from({ length: 24 }, (_, index) => allowed.includes(index + 1))

interface Told {
  readonly consents?: readonly number[]
  readonly interests?: readonly number[]
  readonly publisher?: readonly number[]
  readonly vendors?: readonly number[]
}

/** A TC string as a consent platform writes it. */
function tcString({ consents = [], interests = [], publisher, vendors = [] }: Told): string {
  const model = new GppModel()
  model.setFieldValueBySectionId(2, 'CmpId', 10)
  model.setFieldValueBySectionId(2, 'PurposeConsents', purposes(...consents))
  model.setFieldValueBySectionId(2, 'PurposeLegitimateInterests', purposes(...interests))
  model.setFieldValueBySectionId(2, 'PublisherConsents', purposes(...(publisher ?? [])))
  model.setFieldValueBySectionId(2, 'VendorConsents', [...vendors])
  const text = model.encode().split('~')[1] ?? ''
  if (publisher !== undefined) return text
  return text
    .split('.')
    .filter((segment) => !segment.startsWith('Y'))
    .join('.')
}

function gppOf(fields: Readonly<Record<number, Readonly<Record<string, unknown>>>>): string {
  const model = new GppModel()
  for (const [section, values] of Object.entries(fields)) {
    for (const [name, value] of Object.entries(values)) {
      model.setFieldValueBySectionId(Number(section), name, value)
    }
  }
  return model.encode()
}

const EVERYTHING = tcString({ consents: [1, 2, 3, 4, 7] })

describe('TCF', () => {
  test.each<[name: string, signals: ConsentSignals, permissions: Partial<Permissions>]>([
    ['all purposes allow everything', { gdprApplies: true, tcString: EVERYTHING }, ALLOWED],
    ['a missing string is a no', { gdprApplies: true }, REFUSED],
    ['a broken string is a no', { gdprApplies: true, tcString: 'CPXx!' }, REFUSED],
    ['another kind of string is a no', { gdprApplies: true, tcString: 'BOEFEAyOEFEAy' }, REFUSED],
    ['a string of 9,000 characters is a no', { tcString: 'C'.repeat(9_000) }, REFUSED],
    ['a string counts where nobody says whether the law applies', { tcString: 'x' }, REFUSED],
    [
      'where the law does not apply the string is not read',
      { gdprApplies: false, tcString: 'x' },
      ALLOWED,
    ],
    [
      'without purpose 1 nothing is stored and nobody is identified',
      { gdprApplies: true, tcString: tcString({ consents: [2, 3, 4, 7] }) },
      { ...ALLOWED, mayStore: false, mayIdentify: false },
    ],
    [
      'purpose 3 without 4 does not personalise',
      { gdprApplies: true, tcString: tcString({ consents: [1, 2, 3, 7] }) },
      { ...ALLOWED, mayPersonalise: false },
    ],
    [
      'without purpose 7 events are counted without a user',
      { gdprApplies: true, tcString: tcString({ consents: [1, 2, 3, 4] }) },
      { ...ALLOWED, mayMeasure: false },
    ],
    [
      'without purpose 2 no ad is chosen for the reader',
      { gdprApplies: true, tcString: tcString({ consents: [1, 3, 4, 7] }) },
      { ...ALLOWED, maySelect: false },
    ],
    [
      'purposes 2 and 7 may rest on a legitimate interest',
      { gdprApplies: true, tcString: tcString({ consents: [1, 3, 4], interests: [2, 7] }) },
      ALLOWED,
    ],
    [
      'the publisher segment can refuse what the core string allows',
      {
        gdprApplies: true,
        tcString: tcString({ consents: [1, 2, 3, 4, 7], publisher: [1, 2, 7] }),
      },
      { ...ALLOWED, mayPersonalise: false },
    ],
  ])('%s', (_, signals, permissions) => {
    expect(permissionsOf(signals)).toEqual(permissions)
  })

  test('with a vendor number that vendor needs consent, too', () => {
    const asVendor = createConsentReader({ vendorId: 7, withoutPurpose2: 'none' })
    const consents = [1, 2, 3, 4, 7]

    const without = asVendor({ gdprApplies: true, tcString: tcString({ consents, vendors: [8] }) })
    const with7 = asVendor({ gdprApplies: true, tcString: tcString({ consents, vendors: [7] }) })

    expect(without).toEqual({ ...REFUSED, reason: 'tcf' })
    expect(with7).toEqual({ ...ALLOWED, reason: undefined })
  })
})

describe('GPP', () => {
  test.each<[name: string, signals: ConsentSignals, permissions: Permissions]>([
    [
      'a sale opt-out counts',
      { gpp: gppOf({ 7: { SaleOptOut: 1 } }), gppSections: [7] },
      NOT_FOLLOWED,
    ],
    [
      'a sharing opt-out counts',
      { gpp: gppOf({ 7: { SharingOptOut: 1 } }), gppSections: [7] },
      NOT_FOLLOWED,
    ],
    [
      'an opt-out of targeted advertising in a state counts',
      { gpp: gppOf({ 9: { TargetedAdvertisingOptOut: 1 } }), gppSections: [9] },
      NOT_FOLLOWED,
    ],
    ['the GPC bit counts', { gpp: gppOf({ 7: { Gpc: true } }), gppSections: [7] }, NOT_FOLLOWED],
    ['2 is no opt-out', { gpp: gppOf({ 7: { SaleOptOut: 2 } }), gppSections: [7] }, ALLOWED],
    [
      'a known child is a child',
      { gpp: gppOf({ 7: { KnownChildSensitiveDataConsents: [0, 1, 0] } }), gppSections: [7] },
      { ...NOT_FOLLOWED, isChild: true },
    ],
    [
      'a section that nobody names does not count',
      { gpp: gppOf({ 7: { SaleOptOut: 1 } }), gppSections: [] },
      ALLOWED,
    ],
    ['-1 names no section', { gpp: gppOf({ 7: { SaleOptOut: 1 } }), gppSections: [-1] }, ALLOWED],
    [
      'a named section that is missing is a no',
      { gpp: gppOf({ 7: { SaleOptOut: 2 } }), gppSections: [8] },
      REFUSED,
    ],
    ['a broken string is a no', { gpp: 'DBA', gppSections: [7] }, REFUSED],
    ['a missing string is a no', { gppSections: [2] }, REFUSED],
    [
      'section 6 reads as US privacy',
      { gpp: gppOf({ 6: { OptOutSale: 'Y' } }), gppSections: [6] },
      NOT_FOLLOWED,
    ],
    [
      'section 2 reads as TCF',
      {
        gpp: gppOf({
          2: { CmpId: 10, PurposeConsents: purposes(1), PublisherConsents: purposes(1) },
        }),
        gppSections: [2],
      },
      { ...REFUSED, mayStore: true, mayIdentify: true },
    ],
    [
      'section 5 reads purposes by express or implied consent',
      {
        gpp: gppOf({
          5: { PurposesExpressConsent: purposes(1, 3), PurposesImpliedConsent: purposes(2, 4, 7) },
        }),
        gppSections: [5],
      },
      ALLOWED,
    ],
    [
      'of several sections each can refuse',
      { gpp: gppOf({ 6: { OptOutSale: 'N' }, 7: { SaleOptOut: 1 } }), gppSections: [6, 7] },
      NOT_FOLLOWED,
    ],
  ])('%s', (_, signals, permissions) => {
    expect(permissionsOf(signals)).toEqual(permissions)
  })
})

test.each<[name: string, signals: ConsentSignals, permissions: Permissions]>([
  ['nothing said allows everything', {}, ALLOWED],
  ['a sale refused by US privacy', { usPrivacy: '1YYN' }, NOT_FOLLOWED],
  ['a sale not refused by US privacy', { usPrivacy: '1YNN' }, ALLOWED],
  ['US privacy does not apply', { usPrivacy: '1---' }, ALLOWED],
  ['COPPA tells of a child', { isChild: true }, { ...NOT_FOLLOWED, isChild: true }],
  ['an objection', { objection: 'gpc' }, NOT_FOLLOWED],
  ['flags that allow', { flags: { storage: true, personalisation: true } }, ALLOWED],
  [
    'a refused storage keeps the choice by segments of this request',
    { flags: { storage: false } },
    { ...ALLOWED, mayStore: false, mayIdentify: false, mayMeasure: false },
  ],
  [
    'a refused personalisation keeps nothing, either',
    { flags: { personalisation: false } },
    { ...REFUSED, maySelect: true },
  ],
])('%s', (_, signals, permissions) => {
  expect(permissionsOf(signals)).toEqual(permissions)
})

test('any refusal wins: signals together allow what each of them allows', () => {
  const tcf = fc.subarray([1, 2, 3, 4, 7]).map((consents) => tcString({ consents }))
  const signals: fc.Arbitrary<ConsentSignals> = fc.record(
    {
      gdprApplies: fc.boolean(),
      tcString: fc.oneof(tcf, fc.string()),
      usPrivacy: fc.constantFrom('1YYN', '1YNN', '1---', ''),
      isChild: fc.boolean(),
      objection: fc.constantFrom('gpc' as const, 'dnt' as const, 'limited-tracking' as const),
      flags: fc.record({ storage: fc.boolean(), personalisation: fc.boolean() }),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(signals, ({ gdprApplies, tcString, ...others }) => {
      const alone = [
        { gdprApplies, tcString },
        ...Object.entries(others).map(([name, value]) => ({ [name]: value })),
      ]
      expect(permissionsOf({ gdprApplies, tcString, ...others })).toEqual(
        alone.map(permissionsOf).reduce(both, ALLOWED),
      )
    }),
  )
})

test('a reader who refuses purpose 2 gets an ad by page and place unless the operator wants none', () => {
  const signals = { gdprApplies: true, tcString: tcString({ consents: [1, 3, 4, 7] }) }

  expect(createConsentReader()(signals)).toMatchObject({ maySelect: true, mayPersonalise: false })
  expect(readConsent(signals)).toMatchObject({ maySelect: false, mayPersonalise: true })
})

test('every place of a request is read, and whoever says no anywhere is believed', () => {
  const yes = { gdpr: '1', gdpr_consent: EVERYTHING }
  const places = [
    { headers: { 'sec-gpc': '1' }, query: yes },
    { headers: {}, query: { gdpr: '1' } },
    { headers: {}, query: yes, body: { consent: { storage: false } } },
    { headers: {}, query: yes, body: { consent: { gdprApplies: true } } },
    { headers: {}, query: yes, body: { consent: { usPrivacy: '1YYN' } } },
    { headers: {}, query: yes, body: { signals: { objection: 'limited-tracking' as const } } },
  ]

  for (const { body, ...request } of places) {
    expect(consentOf(readConsent, request, body).mayIdentify).toBe(false)
  }
  expect(consentOf(readConsent, { headers: {}, query: yes })).toEqual({
    ...ALLOWED,
    reason: undefined,
  })
})

test('the first signal that refuses is named', () => {
  expect(readConsent({ usPrivacy: '1YYN', objection: 'dnt' }).reason).toBe('dnt')
  expect(readConsent({ usPrivacy: '1YYN', gdprApplies: false }).reason).toBe('us-privacy')
  expect(readConsent({ gdprApplies: true, tcString: EVERYTHING }).reason).toBeUndefined()
})

test('an address names its signals, and a macro that nobody filled says nothing', () => {
  const query = {
    gdpr: '1',
    gdpr_consent: EVERYTHING,
    gpp: 'DBAA',
    gpp_sid: '2,7',
    us_privacy: '1---',
  }

  expect(signalsOfQuery(query)).toEqual({
    gdprApplies: true,
    tcString: EVERYTHING,
    gpp: 'DBAA',
    gppSections: [2, 7],
    usPrivacy: '1---',
    isChild: false,
  })
  const macros = { gdpr: '[GDPR]', gdpr_consent: '%%GDPR%%', gpp: '${GPP}', us_privacy: '{{usp}}' }
  expect(permissionsOf(signalsOfQuery(macros)!)).toEqual(ALLOWED)
  expect(signalsOfQuery({ coppa: '1' })?.isChild).toBe(true)
})

test('a browser objects by Sec-GPC or DNT', () => {
  expect(objectionOfHeaders({ 'sec-gpc': '1' })).toBe('gpc')
  expect(objectionOfHeaders({ dnt: '1' })).toBe('dnt')
  expect(objectionOfHeaders({ dnt: '0' })).toBeUndefined()
})
