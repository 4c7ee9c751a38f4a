/** What is stored of a reader beyond counts: what the publisher said, and what Placard counted. */
export interface ReaderFacts {
  readonly segments: readonly string[]
  /** The last purchase that an ad was credited for. */
  readonly purchasedAtMs: number | undefined
}

export interface KnownReader extends ReaderFacts {
  readonly userKey: string
  readonly publisherKey: number
}

export interface ReaderMemory {
  find(userKey: string, publisherKey: number): ReaderFacts | undefined
  /** Without segments and a purchase, the reader is forgotten. */
  put(reader: KnownReader): void
  /** Replaces everything by these pages, oldest first. Takes effect with the last page. */
  replaceBy(pages: AsyncIterable<readonly KnownReader[]>): Promise<void>
  size(): number
  /** Readers dropped because the memory was full. */
  forgotten(): number
}

/** About 100 bytes each; a reader with many long segments takes the place of up to 33. */
const PLACES_MAX = 500_000
const CHARACTERS_PER_PLACE = 256
const LISTS_MAX = 50_000

/**
 * Facts about readers in memory, so that a decision never waits for them. Bounded: when it is full,
 * the publisher with the most loses the reader updated longest ago, so nobody can push out what
 * another publisher said.
 */
export function createReaderMemory(placesMax: number = PLACES_MAX): ReaderMemory {
  let held = new Held(placesMax)
  let forgotten = 0

  return {
    find: (userKey, publisherKey) => held.find(userKey, publisherKey),
    put(reader) {
      forgotten += held.put(reader)
    },
    async replaceBy(pages) {
      const next = new Held(placesMax)
      for await (const page of pages) for (const reader of page) forgotten += next.put(reader)
      held = next
    },
    size: () => held.size,
    forgotten: () => forgotten,
  }
}

/** The readers of one publisher, the one updated longest ago first. */
interface OfPublisher {
  readonly readers: Map<string, ReaderFacts>
  places: number
}

class Held {
  size = 0
  private places = 0
  private readonly placesMax: number
  private readonly byPublisher = new Map<number, OfPublisher>()
  /** Equal facts are one object: few different lists of segments exist. */
  private readonly shared = new Map<string, ReaderFacts>()

  constructor(placesMax: number) {
    this.placesMax = placesMax
  }

  find(userKey: string, publisherKey: number): ReaderFacts | undefined {
    return this.byPublisher.get(publisherKey)?.readers.get(userKey)
  }

  /** Returns how many readers had to go for it. */
  put({ userKey, publisherKey, segments, purchasedAtMs }: KnownReader): number {
    const own = this.byPublisher.get(publisherKey) ?? { readers: new Map(), places: 0 }
    this.byPublisher.set(publisherKey, own)
    this.drop(own, userKey)
    if (segments.length > 0 || purchasedAtMs !== undefined) {
      const facts = this.sharedOf({ segments, purchasedAtMs })
      own.readers.set(userKey, facts)
      this.count(own, 1, placesOf(facts))
    }
    if (own.readers.size === 0) this.byPublisher.delete(publisherKey)
    return this.makeRoom()
  }

  private makeRoom(): number {
    let dropped = 0
    while (this.places > this.placesMax) {
      const most = [...this.byPublisher.values()].reduce((a, b) => (b.places > a.places ? b : a))
      this.drop(most, most.readers.keys().next().value!)
      dropped++
    }
    return dropped
  }

  private drop(own: OfPublisher, userKey: string): void {
    const facts = own.readers.get(userKey)
    if (facts === undefined) return
    own.readers.delete(userKey)
    this.count(own, -1, -placesOf(facts))
  }

  private count(own: OfPublisher, readers: number, places: number): void {
    this.size += readers
    this.places += places
    own.places += places
  }

  private sharedOf(facts: ReaderFacts): ReaderFacts {
    if (facts.purchasedAtMs !== undefined) return facts
    const text = facts.segments.join('\n')
    const known = this.shared.get(text)
    if (known !== undefined) return known
    if (this.shared.size >= LISTS_MAX) this.shared.clear()
    this.shared.set(text, facts)
    return facts
  }
}

function placesOf({ segments }: ReaderFacts): number {
  let characters = 0
  for (const { length } of segments) characters += length
  return 1 + Math.floor(characters / CHARACTERS_PER_PLACE)
}
