import { Rows } from './rows.ts'

/** No row: the end of a chain, an absent owner. */
export const NONE = -1

/** How a bid is made: per mille, per click, or per click by what a conversion may cost. */
export const BID = { cpm: 0, cpc: 1, target: 2 } as const

export const KIND = { ad: 0, assignment: 1, evergreen: 2 } as const
const STATE = { kind: 3, active: 4, listed: 8 } as const

/**
 * Candidates: ads, assignments and evergreen banners. A decision reads only the hot columns, one
 * cache line. Changes and answers also read the cold ones.
 */
export class CandidateRows extends Rows {
  constructor(capacity: number) {
    super({ hot: 8, cold: 8 }, capacity)
  }

  baseScore(row: number): number {
    return this.f64[row * 8]!
  }

  setBaseScore(row: number, value: number): void {
    this.f64[row * 8] = value
  }

  publishAt(row: number): number {
    return this.f64[row * 8 + 1]!
  }

  setPublishAt(row: number, value: number): void {
    this.f64[row * 8 + 1] = value
  }

  expiresAt(row: number): number {
    return this.f64[row * 8 + 2]!
  }

  setExpiresAt(row: number, value: number): void {
    this.f64[row * 8 + 2] = value
  }

  odds(row: number): number {
    return this.f64[row * 8 + 3]!
  }

  setOdds(row: number, value: number): void {
    this.f64[row * 8 + 3] = value
  }

  quality(row: number): number {
    return this.f64[row * 8 + 4]!
  }

  setQuality(row: number, value: number): void {
    this.f64[row * 8 + 4] = value
  }

  effectiveBid(row: number): number {
    return this.f64[row * 8 + 5]!
  }

  setEffectiveBid(row: number, value: number): void {
    this.f64[row * 8 + 5] = value
  }

  campaign(row: number): number {
    return this.i32[row * 16 + 12]!
  }

  setCampaign(row: number, value: number): void {
    this.i32[row * 16 + 12] = value
  }

  banner(row: number): number {
    return this.i32[row * 16 + 13]!
  }

  setBanner(row: number, value: number): void {
    this.i32[row * 16 + 13] = value
  }

  firstCap(row: number): number {
    return this.i32[row * 16 + 14]!
  }

  setFirstCap(row: number, value: number): void {
    this.i32[row * 16 + 14] = value
  }

  /** Index into `schedules`. The two lowest bits of the column are the kind of bid. */
  schedule(row: number): number {
    return this.i32[row * 16 + 15]! >> 2
  }

  bidKind(row: number): number {
    return this.i32[row * 16 + 15]! & 3
  }

  isCpc(row: number): boolean {
    return this.bidKind(row) !== BID.cpm
  }

  setSchedule(row: number, schedule: number, bidKind: number): void {
    this.i32[row * 16 + 15] = (schedule << 2) | bidKind
  }

  /** What a conversion may cost, of a bid by target. */
  target(row: number): number {
    return this.coldF64[row * 8 + 6]!
  }

  setTarget(row: number, value: number): void {
    this.coldF64[row * 8 + 6] = value
  }

  conversionOdds(row: number): number {
    return this.coldF64[row * 8 + 7]!
  }

  setConversionOdds(row: number, value: number): void {
    this.coldF64[row * 8 + 7] = value
  }

  key(row: number): number {
    return this.coldF64[row * 8]!
  }

  setKey(row: number, value: number): void {
    this.coldF64[row * 8] = value
  }

  bid(row: number): number {
    return this.coldF64[row * 8 + 1]!
  }

  setBid(row: number, value: number): void {
    this.coldF64[row * 8 + 1] = value
  }

  ownQuality(row: number): number {
    return this.coldF64[row * 8 + 2]!
  }

  setOwnQuality(row: number, value: number): void {
    this.coldF64[row * 8 + 2] = value
  }

  nextOfCampaign(row: number): number {
    return this.coldI32[row * 16 + 6]!
  }

  setNextOfCampaign(row: number, value: number): void {
    this.coldI32[row * 16 + 6] = value
  }

  previousOfCampaign(row: number): number {
    return this.coldI32[row * 16 + 7]!
  }

  setPreviousOfCampaign(row: number, value: number): void {
    this.coldI32[row * 16 + 7] = value
  }

  nextOfBanner(row: number): number {
    return this.coldI32[row * 16 + 8]!
  }

  setNextOfBanner(row: number, value: number): void {
    this.coldI32[row * 16 + 8] = value
  }

  previousOfBanner(row: number): number {
    return this.coldI32[row * 16 + 9]!
  }

  setPreviousOfBanner(row: number, value: number): void {
    this.coldI32[row * 16 + 9] = value
  }

  kind(row: number): number {
    return this.coldI32[row * 16 + 10]! & STATE.kind
  }

  isActive(row: number): boolean {
    return (this.coldI32[row * 16 + 10]! & STATE.active) !== 0
  }

  setState(row: number, kind: number, isActive: boolean): void {
    this.coldI32[row * 16 + 10] = kind | (isActive ? STATE.active : 0)
  }

  isListed(row: number): boolean {
    return (this.coldI32[row * 16 + 10]! & STATE.listed) !== 0
  }

  setListed(row: number, isListed: boolean): void {
    const state = this.coldI32[row * 16 + 10]! & ~STATE.listed
    this.coldI32[row * 16 + 10] = isListed ? state | STATE.listed : state
  }

  placement(row: number): number {
    return this.coldI32[row * 16 + 11]!
  }

  setPlacement(row: number, value: number): void {
    this.coldI32[row * 16 + 11] = value
  }
}
