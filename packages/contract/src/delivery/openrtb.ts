import { Type, type Static } from 'typebox'

/** OpenRTB 2.6 and 2.5: what the door reads. Everything else in a request is ignored. */

const text = (maxLength: number, description: string, example?: string) =>
  Type.String({
    maxLength,
    format: 'plain-text',
    description,
    ...(example !== undefined && { examples: [example] }),
  })
const id = (description: string, example: string) =>
  Type.String({
    minLength: 1,
    maxLength: 500,
    format: 'plain-text',
    description,
    examples: [example],
  })
const flag = (description: string) => Type.Integer({ minimum: 0, maximum: 1, description })
const codes = (description: string) =>
  Type.Array(Type.Integer({ minimum: 0, maximum: 100_000 }), { maxItems: 500, description })
const names = (description: string) =>
  Type.Array(text(255, 'One of them'), { maxItems: 5_000, description })
const pixels = (description: string) => Type.Integer({ minimum: 0, maximum: 20_000, description })
const price = (description: string) =>
  Type.Number({ minimum: 0, maximum: 1_000_000, description, examples: [0.5] })
const currency = (description: string) =>
  Type.String({ pattern: '^[A-Za-z]{3}$', description, examples: ['EUR'] })
const open = (description: string) => Type.Unknown({ description })

const Size = Type.Object({
  w: Type.Optional(pixels('Width')),
  h: Type.Optional(pixels('Height')),
})

const Banner = Type.Object(
  {
    format: Type.Optional(Type.Array(Size, { maxItems: 100, description: 'Sizes that fit' })),
    w: Type.Optional(pixels('Width, where there is one size')),
    h: Type.Optional(pixels('Height, where there is one size')),
    btype: Type.Optional(codes('Banner types that are refused')),
    battr: Type.Optional(codes('Creative attributes that are refused')),
  },
  { examples: [{ format: [{ w: 300, h: 250 }] }] },
)

const Native = Type.Object({
  request: Type.Optional(
    Type.String({
      maxLength: 50_000,
      format: 'plain-text',
      description: 'A native request of 1.1 or 1.2 as JSON text, with or without its root `native`',
    }),
  ),
  ver: Type.Optional(text(16, 'Version of the native request', '1.2')),
  battr: Type.Optional(codes('Creative attributes that are refused')),
})

const Video = Type.Object({
  mimes: Type.Optional(names('Types of files that play')),
  minduration: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400, description: 'Seconds' })),
  maxduration: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400, description: 'Seconds' })),
  rqddurs: Type.Optional(codes('Exact lengths in seconds, instead of a range')),
  protocols: Type.Optional(codes('Versions of VAST')),
  w: Type.Optional(pixels('Width of the player')),
  h: Type.Optional(pixels('Height of the player')),
  skip: Type.Optional(flag('Whether the player lets people skip')),
  battr: Type.Optional(codes('Creative attributes that are refused')),
})

const Deal = Type.Object({
  id: id('Contract reference of a campaign', 'IO-2031-07'),
  bidfloor: Type.Optional(price('Lowest price of the deal, per thousand')),
  bidfloorcur: Type.Optional(currency('Its currency; default USD')),
})

const Pmp = Type.Object({
  private_auction: Type.Optional(flag('1: only the deals named here may bid')),
  deals: Type.Optional(Type.Array(Deal, { maxItems: 100, description: 'Deals that may bid' })),
})

const Imp = Type.Object({
  id: id('The caller’s own id of the place', 'div-1'),
  banner: Type.Optional(Banner),
  native: Type.Optional(Native),
  video: Type.Optional(Video),
  tagid: Type.Optional(text(500, 'Slug of the placement', 'home-top')),
  bidfloor: Type.Optional(price('Lowest price per thousand')),
  bidfloorcur: Type.Optional(currency('Its currency; default USD')),
  pmp: Type.Optional(Pmp),
  secure: Type.Optional(flag('1: everything must load over https')),
  exp: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 86_400, description: 'How long a bid may last, seconds' }),
  ),
  ext: Type.Optional(open('Where Prebid names the placement: `prebid.bidder.<name>.placement` …')),
})

const Publisher = Type.Object({ id: Type.Optional(text(500, 'A publisher’s id')) })
const Place = Type.Object({
  page: Type.Optional(text(8_192, 'Address of the page', 'https://gazette.example/soup')),
  ref: Type.Optional(text(8_192, 'Address that led to the page')),
  domain: Type.Optional(text(500, 'Domain of the site', 'gazette.example')),
  publisher: Type.Optional(Publisher),
})

const Device = Type.Object({
  ua: Type.Optional(text(4_096, 'User agent; from a key only')),
  ip: Type.Optional(text(64, 'Address; from a key only')),
  ipv6: Type.Optional(text(64, 'Address; from a key only')),
  language: Type.Optional(text(64, 'Language', 'de')),
  geo: Type.Optional(
    Type.Object({ country: Type.Optional(text(8, 'Country; from a key only', 'DE')) }),
  ),
  lmt: Type.Optional(flag('1: limited tracking')),
  dnt: Type.Optional(flag('1: do not track')),
})

const Eid = Type.Object({
  source: Type.Optional(text(255, 'Who gives the id', 'pubcid.org')),
  uids: Type.Optional(
    Type.Array(Type.Object({ id: Type.Optional(text(500, 'The id')) }), { maxItems: 100 }),
  ),
})

const User = Type.Object({
  id: Type.Optional(text(500, 'The publisher’s own id of the reader')),
  consent: Type.Optional(text(16_384, 'IAB TCF 2 string')),
  eids: Type.Optional(Type.Array(Eid, { maxItems: 100, description: 'Shared ids' })),
  ext: Type.Optional(open('`consent` and `eids` of 2.5')),
})

const Regs = Type.Object({
  coppa: Type.Optional(flag('1: a child')),
  gdpr: Type.Optional(flag('1: the TCF applies')),
  us_privacy: Type.Optional(text(64, 'US privacy string', '1YNN')),
  gpp: Type.Optional(text(16_384, 'IAB GPP string')),
  gpp_sid: Type.Optional(
    Type.Array(Type.Integer({ minimum: -1, maximum: 1_000 }), {
      maxItems: 32,
      description: 'Sections of it that apply',
    }),
  ),
  ext: Type.Optional(open('`gdpr`, `us_privacy` and `gpc` of 2.5')),
})

export const BidRequest = Type.Object(
  {
    id: id('The caller’s own id of the request', '7b5a'),
    imp: Type.Array(Imp, { minItems: 1, maxItems: 1_000, description: 'At most 50 are answered' }),
    site: Type.Optional(Place),
    app: Type.Optional(Place),
    dooh: Type.Optional(Place),
    device: Type.Optional(Device),
    user: Type.Optional(User),
    regs: Type.Optional(Regs),
    source: Type.Optional(
      Type.Object({
        schain: Type.Optional(open('Who passed the request on')),
        ext: Type.Optional(open('`schain` of 2.5')),
      }),
    ),
    cur: Type.Optional(
      Type.Array(currency('One of them'), {
        maxItems: 200,
        description: 'Currencies that are taken; default: any',
      }),
    ),
    bcat: Type.Optional(names('Categories that are refused')),
    cattax: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1_000, description: 'Their taxonomy; default 1' }),
    ),
    badv: Type.Optional(names('Domains of advertisers that are refused')),
    tmax: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 3_600_000, description: 'Milliseconds to answer' }),
    ),
    test: Type.Optional(flag('1: nothing is held, recorded or billed')),
    ext: Type.Optional(open('What Prebid adds: `prebid.passthrough`, `prebid.returnallbidstatus`')),
  },
  {
    examples: [{ id: '7b5a', imp: [{ id: 'div-1', banner: { format: [{ w: 300, h: 250 }] } }] }],
  },
)
export type BidRequest = Static<typeof BidRequest>
export type Imp = BidRequest['imp'][number]

const Bid = Type.Object({
  id: Type.String({ description: 'The decision' }),
  impid: Type.String(),
  price: Type.Number({ description: 'What is charged per thousand impressions' }),
  adid: Type.Optional(Type.String({ description: 'The ad' })),
  crid: Type.String({ description: 'The banner' }),
  cid: Type.Optional(Type.String({ description: 'The campaign' })),
  adomain: Type.Array(Type.String()),
  cat: Type.Optional(Type.Array(Type.String())),
  cattax: Type.Optional(Type.Integer({ description: '8: IAB Ad Product Taxonomy 2.0' })),
  w: Type.Optional(Type.Integer()),
  h: Type.Optional(Type.Integer()),
  mtype: Type.Integer({ description: '1 banner, 2 video, 4 native' }),
  adm: Type.String(),
  nurl: Type.Optional(Type.String({ description: 'Of a video: where its VAST document is' })),
  burl: Type.Optional(Type.String({ description: 'Counts the impression, as the pixel does' })),
  lurl: Type.Optional(Type.String({ description: 'Ends what is held; for callers with a key' })),
  exp: Type.Integer({ description: 'Seconds' }),
  dealid: Type.Optional(Type.String()),
  dur: Type.Optional(Type.Integer({ description: 'Of a video, seconds' })),
  ext: Type.Object({ prebid: Type.Object({ type: Type.String() }) }),
})

export const BidResponse = Type.Object({
  id: Type.String({ description: 'Of the request' }),
  seatbid: Type.Array(Type.Object({ seat: Type.String(), bid: Type.Array(Bid) })),
  cur: Type.Optional(Type.String()),
  bidid: Type.Optional(Type.String()),
  nbr: Type.Optional(Type.Integer({ description: 'Why there is no bid' })),
  ext: Type.Optional(
    Type.Object({
      responsetimemillis: Type.Optional(Type.Record(Type.String(), Type.Integer())),
      errors: Type.Optional(
        Type.Record(
          Type.String(),
          Type.Array(Type.Object({ code: Type.Integer(), message: Type.String() })),
        ),
      ),
      seatnonbid: Type.Optional(
        Type.Array(
          Type.Object({
            seat: Type.String(),
            nonbid: Type.Array(Type.Object({ impid: Type.String(), statuscode: Type.Integer() })),
          }),
        ),
      ),
      prebid: Type.Optional(Type.Object({ passthrough: Type.Unknown() })),
    }),
  ),
})
export type BidResponse = Static<typeof BidResponse>
export type Bid = BidResponse['seatbid'][number]['bid'][number]
