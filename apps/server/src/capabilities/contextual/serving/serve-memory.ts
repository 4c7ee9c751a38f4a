import type { Shortlist } from '@placard/decision-engine'
import type { PageQuery, KnownPage, PageIndex } from '../../decisions/index.ts'
import type { Candidate, Candidates } from '../auction/auction.ts'
import { chooseBid, type CreativeHour, NO_HOUR } from '../auction/choice.ts'
import { canonicalUrl, PAGE_LIFE_MS, pageKeyOf, type UrlRules } from '../pages/page.ts'

export interface IndexedPage {
  readonly siteKey: number
  readonly url: string
  readonly version: number
  readonly classifiedAtMs: number
  readonly isCorrected: boolean
  readonly expiresAtMs: number
  /** With their parents. */
  readonly categories: readonly string[]
  readonly candidates: Candidates
}

/** The candidates of a placement as decisions read them. */
interface LiveCandidates {
  readonly adKeys: readonly number[]
  readonly relevance: readonly number[]
  readonly candidates: readonly Candidate[]
  /** When the first of them expires. */
  readonly firstUntilMs: number
}

interface KeptPage extends Omit<IndexedPage, 'candidates'> {
  readonly live: ReadonlyMap<number, LiveCandidates>
}

interface SiteRules extends UrlRules {
  /** Of the publisher. */
  readonly accountKey: number
}

interface SitePages {
  version: number
  readonly pages: Map<string, KeptPage>
}

/** The normal form of an address, and the key of its page. */
interface PageForm {
  readonly url: string
  readonly pageKey: string
}

export interface UnknownPage {
  readonly siteKey: number
  readonly url: string
}

const PAGES_PER_SITE_MAX = 50_000
const FORMS_KEPT_MAX = 50_000
/** Between two takes. Nobody's readers keep the pages of another publisher out. */
const UNKNOWN_PER_ACCOUNT_MAX = 1_000

/** The serve index of one node. Decisions read only memory. */
export class ServeMemory implements PageIndex {
  private readonly sites = new Map<number, SitePages>()
  private readonly rules = new Map<number, SiteRules>()
  private readonly forms = new Map<string, PageForm | undefined>()
  private hours: ReadonlyMap<number, CreativeHour> = new Map()
  /** By account of the publisher. */
  private unknown = new Map<number, Map<string, UnknownPage>>()
  private readAtMs: number | undefined
  /** Page calls by whether the page was known. */
  readonly lookups = { known: 0, unknown: 0 }
  private readonly lineOf: (categoryId: string) => readonly string[]

  /** `lineOf`: a category and its parents. */
  constructor(lineOf: (categoryId: string) => readonly string[] = (id) => [id]) {
    this.lineOf = lineOf
  }

  withParents(categories: readonly string[]): readonly string[] {
    return [...new Set(categories.flatMap((id) => [id, ...this.lineOf(id)]))]
  }

  find(query: PageQuery): KnownPage | undefined {
    const { siteKey, nowMs, isDry } = query
    const url = this.formOf(siteKey, query.url)?.url
    if (url === undefined) return undefined
    const page = this.sites.get(siteKey)?.pages.get(url)
    if (page === undefined || !isServable(page, nowMs)) {
      this.lookups.unknown++
      if (!isDry) this.noteUnknown({ siteKey, url })
      return undefined
    }
    this.lookups.known++
    const { categories } = page
    return {
      url,
      categories,
      shortlistOf: (placementKey) => this.shortlistOf(page, placementKey, query),
    }
  }

  pageKeyOf(siteKey: number, url: string): string | undefined {
    return this.formOf(siteKey, url)?.pageKey
  }

  putRules(siteKey: number, rules: SiteRules | undefined): void {
    if (rules === undefined) this.rules.delete(siteKey)
    else this.rules.set(siteKey, rules)
    this.forms.clear()
  }

  put(page: IndexedPage): void {
    const site = this.sites.get(page.siteKey) ?? { version: 0, pages: new Map() }
    this.sites.set(page.siteKey, site)
    site.version = Math.max(site.version, page.version)
    site.pages.delete(page.url)
    site.pages.set(page.url, kept(page))
    // Drops the page that was written longest ago.
    if (site.pages.size > PAGES_PER_SITE_MAX)
      site.pages.delete(site.pages.keys().next().value ?? '')
  }

  /** The index is current as of now. */
  noteRead(nowMs: number): void {
    this.readAtMs = nowMs
  }

  ageSeconds(nowMs: number): number {
    return this.readAtMs === undefined ? 0 : (nowMs - this.readAtMs) / 1_000
  }

  versionOf(siteKey: number): number {
    return this.sites.get(siteKey)?.version ?? 0
  }

  /** Drops pages without a valid candidate. Returns how many. */
  sweep(nowMs: number): number {
    let swept = 0
    for (const { pages } of this.sites.values()) {
      for (const [url, page] of pages) if (!isServable(page, nowMs) && pages.delete(url)) swept++
    }
    return swept
  }

  setHours(hours: ReadonlyMap<number, CreativeHour>): void {
    this.hours = hours
  }

  /** Pages that readers opened and the crawler has not read. Each is returned once per call. */
  takeUnknown(): readonly UnknownPage[] {
    const taken = this.unknown
    this.unknown = new Map()
    return [...taken.values()].flatMap((pages) => [...pages.values()])
  }

  get size(): number {
    let size = 0
    for (const { pages } of this.sites.values()) size += pages.size
    return size
  }

  private shortlistOf(
    page: KeptPage,
    placementKey: number,
    { nowMs, draws }: PageQuery,
  ): Shortlist | undefined {
    const known = page.live.get(placementKey)
    if (known === undefined) return undefined
    const { adKeys, relevance, candidates } =
      known.firstUntilMs > nowMs ? known : liveCandidatesAt(known, nowMs)
    return {
      adKeys,
      relevance,
      choose: (bids, floorMicros) =>
        chooseBid(bids, { candidates, hourOf: this.hourOf, draws, floorMicros }),
    }
  }

  private readonly hourOf = (bannerKey: number): CreativeHour =>
    this.hours.get(bannerKey) ?? NO_HOUR

  private formOf(siteKey: number, url: string): PageForm | undefined {
    const key = `${siteKey} ${url}`
    if (this.forms.has(key)) return this.forms.get(key)
    const rules = this.rules.get(siteKey)
    const canonical = rules && canonicalUrl(url, rules)
    const form =
      canonical === undefined ? undefined : { url: canonical, pageKey: pageKeyOf(canonical) }
    if (this.forms.size >= FORMS_KEPT_MAX) this.forms.clear()
    this.forms.set(key, form)
    return form
  }

  private noteUnknown(page: UnknownPage): void {
    const { accountKey } = this.rules.get(page.siteKey)!
    const pages = this.unknown.get(accountKey) ?? new Map<string, UnknownPage>()
    this.unknown.set(accountKey, pages)
    if (pages.size < UNKNOWN_PER_ACCOUNT_MAX) pages.set(`${page.siteKey} ${page.url}`, page)
  }
}

function kept({ candidates: byPlacement, ...page }: IndexedPage): KeptPage {
  const live = new Map<number, LiveCandidates>()
  for (const [placementKey, candidates] of Object.entries(byPlacement)) {
    if (candidates.length > 0) live.set(Number(placementKey), liveCandidatesOf(candidates))
  }
  return { ...page, live }
}

const liveCandidatesOf = (candidates: readonly Candidate[]): LiveCandidates => ({
  adKeys: candidates.map(({ adKey }) => adKey),
  relevance: candidates.map(({ relevance }) => relevance ?? 1),
  candidates,
  firstUntilMs: Math.min(...candidates.map(({ untilMs }) => untilMs ?? Infinity)),
})

const liveCandidatesAt = ({ candidates }: LiveCandidates, nowMs: number): LiveCandidates =>
  liveCandidatesOf(candidates.filter(({ untilMs }) => untilMs === undefined || untilMs > nowMs))

/** Freshness is checked separately: an entry may outlive the categories it was made from. */
const isServable = (page: KeptPage, nowMs: number) =>
  page.expiresAtMs > nowMs && (page.isCorrected || nowMs - page.classifiedAtMs <= PAGE_LIFE_MS)
