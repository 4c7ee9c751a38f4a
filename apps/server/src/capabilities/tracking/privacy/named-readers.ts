import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import { Problem } from '../../../platform/problem.ts'
import {
  forgetReaders,
  listPublisherKeysEver,
  listShowingsOfReaders,
  type Publishers,
  type RequestReaders,
  spokenFor,
} from '../../decisions/index.ts'
import type { Counters, Visits } from '../../frequency/index.ts'
import { publisherProblems } from '../../inventory/index.ts'
import type { PublishersReader } from './routes.ts'

export interface NamingDeps {
  readonly db: Database
  readonly clock: Clock
  readonly readers: RequestReaders
  readonly publishers: Publishers
  readonly counters: Pick<Counters, 'forget'>
  readonly visits?: Pick<Visits, 'forget'> | undefined
}

/** Which readers an id means, and how they are forgotten. */
export const namingReaders = ({ db, readers, publishers, ...deps }: NamingDeps) => ({
  userKeyOf(userId: string, publisherId: string | undefined): string {
    const key =
      publisherId === undefined
        ? publishers.of(undefined)
        : publishers.find(publisherId)?.accountKey
    if (key === undefined) throw new Problem(publisherProblems.notFound, publisherId ?? '')
    return readers.userKeyOf(userId, key)
  },
  readerOf(caller: Principal, userId: string, publisherId: string | undefined): PublishersReader {
    const publisherKey = spokenFor({ publishers }, caller, publisherId)
    return { userKey: readers.userKeyOf(userId, publisherKey), publisherKey }
  },
  async readersEverywhere(userId: string): Promise<readonly PublishersReader[]> {
    const own = (await listPublisherKeysEver(db)).map((publisherKey) => ({
      userKey: readers.userKeyOf(userId, publisherKey),
      publisherKey,
    }))
    return [...own, { userKey: readers.oldUserKeyOf(userId), publisherKey: undefined }]
  },
  listShowingsOfReaders: listShowingsOfReaders.bind(undefined, db),
  async forgetInDecisions(forgotten: readonly PublishersReader[]) {
    const userKeys = forgotten.map(({ userKey }) => userKey)
    const erased = await forgetReaders({ db, clock: deps.clock }, userKeys)
    let counters = 0
    for (const { userKey, publisherKey } of forgotten) {
      counters += await deps.counters.forget(userKey)
      if (publisherKey !== undefined) await deps.visits?.forget({ userKey, publisherKey })
    }
    return { ...erased, counters }
  },
})
