import { Rows } from './rows.ts'

export const CAMPAIGN_FLAG = {
  present: 1,
  active: 2,
  impressionCapReached: 4,
  clickCapReached: 8,
  exhausted: 16,
  aheadOfPlan: 32,
  cpc: 64,
  mayExceedMax: 128,
} as const

/** Campaigns. Only changes read the cold columns. */
export class CampaignRows extends Rows {
  constructor(capacity: number) {
    super({ hot: 8, cold: 5 }, capacity)
  }

  startsAt(row: number): number {
    return this.f64[row * 8]!
  }

  setStartsAt(row: number, value: number): void {
    this.f64[row * 8] = value
  }

  endsAt(row: number): number {
    return this.f64[row * 8 + 1]!
  }

  setEndsAt(row: number, value: number): void {
    this.f64[row * 8 + 1] = value
  }

  key(row: number): number {
    return this.f64[row * 8 + 2]!
  }

  setKey(row: number, value: number): void {
    this.f64[row * 8 + 2] = value
  }

  traits(row: number): number {
    return this.i32[row * 16 + 6]!
  }

  setTraits(row: number, value: number): void {
    this.i32[row * 16 + 6] = value
  }

  hours(row: number): number {
    return this.i32[row * 16 + 7]!
  }

  setHours(row: number, value: number): void {
    this.i32[row * 16 + 7] = value
  }

  programStart(row: number): number {
    return this.i32[row * 16 + 8]!
  }

  setProgramStart(row: number, value: number): void {
    this.i32[row * 16 + 8] = value
  }

  programEnd(row: number): number {
    return this.i32[row * 16 + 9]!
  }

  setProgramEnd(row: number, value: number): void {
    this.i32[row * 16 + 9] = value
  }

  advertiser(row: number): number {
    return this.i32[row * 16 + 10]!
  }

  setAdvertiser(row: number, value: number): void {
    this.i32[row * 16 + 10] = value
  }

  firstCap(row: number): number {
    return this.i32[row * 16 + 11]!
  }

  setFirstCap(row: number, value: number): void {
    this.i32[row * 16 + 11] = value
  }

  flags(row: number): number {
    return this.i32[row * 16 + 12]!
  }

  setFlags(row: number, value: number): void {
    this.i32[row * 16 + 12] = value
  }

  priority(row: number): number {
    return this.i32[row * 16 + 13]!
  }

  setPriority(row: number, value: number): void {
    this.i32[row * 16 + 13] = value
  }

  currency(row: number): number {
    return this.i32[row * 16 + 14]!
  }

  setCurrency(row: number, value: number): void {
    this.i32[row * 16 + 14] = value
  }

  firstCandidate(row: number): number {
    return this.i32[row * 16 + 15]!
  }

  setFirstCandidate(row: number, value: number): void {
    this.i32[row * 16 + 15] = value
  }

  bidMax(row: number): number {
    return this.coldF64[row * 5]!
  }

  setBidMax(row: number, value: number): void {
    this.coldF64[row * 5] = value
  }

  multiplier(row: number): number {
    return this.coldF64[row * 5 + 1]!
  }

  setMultiplier(row: number, value: number): void {
    this.coldF64[row * 5 + 1] = value
  }

  rate(row: number): number {
    return this.coldF64[row * 5 + 2]!
  }

  setRate(row: number, value: number): void {
    this.coldF64[row * 5 + 2] = value
  }

  ownMultiplier(row: number): number {
    return this.coldF64[row * 5 + 3]!
  }

  setOwnMultiplier(row: number, value: number): void {
    this.coldF64[row * 5 + 3] = value
  }
  /** What a conversion may cost on average; 0: no target. */
  target(row: number): number {
    return this.coldF64[row * 5 + 4]!
  }

  setTarget(row: number, value: number): void {
    this.coldF64[row * 5 + 4] = value
  }
}

export const BANNER_FLAG = { present: 1, active: 2, expired: 4 } as const

/** Banners. `approvedSites` is an index into `siteSets`: the sites whose publishers approved the banner. */
export class BannerRows extends Rows {
  constructor(capacity: number) {
    super({ hot: 8, cold: 0 }, capacity)
  }

  publishAt(row: number): number {
    return this.f64[row * 8]!
  }

  setPublishAt(row: number, value: number): void {
    this.f64[row * 8] = value
  }

  expiresAt(row: number): number {
    return this.f64[row * 8 + 1]!
  }

  setExpiresAt(row: number, value: number): void {
    this.f64[row * 8 + 1] = value
  }

  key(row: number): number {
    return this.f64[row * 8 + 2]!
  }

  setKey(row: number, value: number): void {
    this.f64[row * 8 + 2] = value
  }

  schedule(row: number): number {
    return this.i32[row * 16 + 6]!
  }

  setSchedule(row: number, value: number): void {
    this.i32[row * 16 + 6] = value
  }

  format(row: number): number {
    return this.i32[row * 16 + 7]!
  }

  setFormat(row: number, value: number): void {
    this.i32[row * 16 + 7] = value
  }

  sizes(row: number): number {
    return this.i32[row * 16 + 8]!
  }

  setSizes(row: number, value: number): void {
    this.i32[row * 16 + 8] = value
  }

  adProduct(row: number): number {
    return this.i32[row * 16 + 9]!
  }

  setAdProduct(row: number, value: number): void {
    this.i32[row * 16 + 9] = value
  }

  flags(row: number): number {
    return this.i32[row * 16 + 10]!
  }

  setFlags(row: number, value: number): void {
    this.i32[row * 16 + 10] = value
  }

  priority(row: number): number {
    return this.i32[row * 16 + 11]!
  }

  setPriority(row: number, value: number): void {
    this.i32[row * 16 + 11] = value
  }

  firstCandidate(row: number): number {
    return this.i32[row * 16 + 12]!
  }

  setFirstCandidate(row: number, value: number): void {
    this.i32[row * 16 + 12] = value
  }

  evergreenCandidate(row: number): number {
    return this.i32[row * 16 + 13]!
  }

  setEvergreenCandidate(row: number, value: number): void {
    this.i32[row * 16 + 13] = value
  }

  advertiser(row: number): number {
    return this.i32[row * 16 + 14]!
  }

  setAdvertiser(row: number, value: number): void {
    this.i32[row * 16 + 14] = value
  }

  approvedSites(row: number): number {
    return this.i32[row * 16 + 15]!
  }

  setApprovedSites(row: number, value: number): void {
    this.i32[row * 16 + 15] = value
  }
}

/** Advertisers. */
export class AdvertiserRows extends Rows {
  constructor(capacity: number) {
    super({ hot: 2, cold: 0 }, capacity)
  }

  key(row: number): number {
    return this.f64[row * 2]!
  }

  setKey(row: number, value: number): void {
    this.f64[row * 2] = value
  }

  firstCap(row: number): number {
    return this.i32[row * 4 + 2]!
  }

  setFirstCap(row: number, value: number): void {
    this.i32[row * 4 + 2] = value
  }
}

/** Frequency caps. `next` links the caps of one ad, campaign or advertiser. */
export class CapRows extends Rows {
  constructor(capacity: number) {
    super({ hot: 4, cold: 0 }, capacity)
  }

  setKey(row: number, value: number): void {
    this.f64[row * 4] = value
  }

  scopeKey(row: number): number {
    return this.f64[row * 4 + 1]!
  }

  setScopeKey(row: number, value: number): void {
    this.f64[row * 4 + 1] = value
  }

  max(row: number): number {
    return this.i32[row * 8 + 4]!
  }

  setMax(row: number, value: number): void {
    this.i32[row * 8 + 4] = value
  }

  window(row: number): number {
    return this.i32[row * 8 + 5]!
  }

  setWindow(row: number, value: number): void {
    this.i32[row * 8 + 5] = value
  }

  next(row: number): number {
    return this.i32[row * 8 + 6]!
  }

  setNext(row: number, value: number): void {
    this.i32[row * 8 + 6] = value
  }
}
