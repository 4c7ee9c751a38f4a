import { Rows } from './rows.ts'

/** No row: the end of a chain, an absent owner. */
export const NONE = -1

export const KIND = { ad: 0, assignment: 1, evergreen: 2 } as const
const STATE = { kind: 3, active: 4, listed: 8 } as const

/**
 * Candidates: ads, assignments and evergreen banners. A decision reads only the hot columns, one
 * cache line. Changes and answers also read the cold ones.
 */
export class CandidateRows extends Rows {
  constructor(capacity: number) {
    super({ hot: 8, cold: 6 }, capacity)
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

  /** Index into `schedules`. The lowest bit of the column is set for a CPC bid. */
  schedule(row: number): number {
    return this.i32[row * 16 + 15]! >> 1
  }

  isCpc(row: number): boolean {
    return (this.i32[row * 16 + 15]! & 1) !== 0
  }

  setSchedule(row: number, schedule: number, isCpc: boolean): void {
    this.i32[row * 16 + 15] = (schedule << 1) | (isCpc ? 1 : 0)
  }

  key(row: number): number {
    return this.coldF64[row * 6]!
  }

  setKey(row: number, value: number): void {
    this.coldF64[row * 6] = value
  }

  bid(row: number): number {
    return this.coldF64[row * 6 + 1]!
  }

  setBid(row: number, value: number): void {
    this.coldF64[row * 6 + 1] = value
  }

  ownQuality(row: number): number {
    return this.coldF64[row * 6 + 2]!
  }

  setOwnQuality(row: number, value: number): void {
    this.coldF64[row * 6 + 2] = value
  }

  nextOfCampaign(row: number): number {
    return this.coldI32[row * 12 + 6]!
  }

  setNextOfCampaign(row: number, value: number): void {
    this.coldI32[row * 12 + 6] = value
  }

  previousOfCampaign(row: number): number {
    return this.coldI32[row * 12 + 7]!
  }

  setPreviousOfCampaign(row: number, value: number): void {
    this.coldI32[row * 12 + 7] = value
  }

  nextOfBanner(row: number): number {
    return this.coldI32[row * 12 + 8]!
  }

  setNextOfBanner(row: number, value: number): void {
    this.coldI32[row * 12 + 8] = value
  }

  previousOfBanner(row: number): number {
    return this.coldI32[row * 12 + 9]!
  }

  setPreviousOfBanner(row: number, value: number): void {
    this.coldI32[row * 12 + 9] = value
  }

  kind(row: number): number {
    return this.coldI32[row * 12 + 10]! & STATE.kind
  }

  isActive(row: number): boolean {
    return (this.coldI32[row * 12 + 10]! & STATE.active) !== 0
  }

  setState(row: number, kind: number, isActive: boolean): void {
    this.coldI32[row * 12 + 10] = kind | (isActive ? STATE.active : 0)
  }

  isListed(row: number): boolean {
    return (this.coldI32[row * 12 + 10]! & STATE.listed) !== 0
  }

  setListed(row: number, isListed: boolean): void {
    const state = this.coldI32[row * 12 + 10]! & ~STATE.listed
    this.coldI32[row * 12 + 10] = isListed ? state | STATE.listed : state
  }

  placement(row: number): number {
    return this.coldI32[row * 12 + 11]!
  }

  setPlacement(row: number, value: number): void {
    this.coldI32[row * 12 + 11] = value
  }
}
