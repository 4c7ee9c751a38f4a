import { DAY_MS } from '@placard/calendar'
import type { Pool } from 'pg'
import { Type } from 'typebox'
import type { Clock } from '../../../platform/clock.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { checkLedgerDay, type LedgerFault, sumOfDifferences } from './ledger.ts'
import { addProof, listLedgerDays, listTotalFaults, type Proof } from './store-ledger.ts'

export interface ProofOrder {
  /** Dates as text, both inclusive. */
  readonly fromDay: string
  readonly toDay: string
  readonly withEvents: boolean
}

const PAGE = 5_000
const PAGES_MAX = 1_000
const FAULTS_MAX = 100

interface ProofDeps {
  readonly pool: Pool
  readonly clock: Clock
}

/** Adds up all books again, page by page, and stores the faults found. */
export async function proveLedger({ pool, clock }: ProofDeps, order: ProofOrder): Promise<Proof> {
  const faults: LedgerFault[] = []
  let budgetDays = 0
  let after: { scope: 'campaign' | 'advertiser'; ownerKey: number; day: string } | undefined
  for (let page = 0; page < PAGES_MAX; page++) {
    const books = await listLedgerDays(pool, { ...order, limit: PAGE, ...(after && { after }) })
    for (const day of books) faults.push(...checkLedgerDay(day))
    budgetDays += books.length
    after = books.at(-1)
    if (books.length < PAGE) break
  }
  faults.push(...(await totalFaults(pool)))

  const differenceMicros = sumOfDifferences(faults)
  const kept = faults.slice(0, FAULTS_MAX)
  const proof = { provedAt: clock.now(), budgetDays, differenceMicros, faults: kept }
  await addProof(pool, proof)
  return proof
}

async function totalFaults(pool: Pool): Promise<LedgerFault[]> {
  const found = await listTotalFaults(pool, FAULTS_MAX)
  return found.map(({ campaignKey, differenceMillis }) => ({
    kind: 'entries-differ',
    scope: 'campaign',
    ownerKey: campaignKey,
    day: 'lifetime',
    differenceMicros: differenceMillis / 1_000n || (differenceMillis > 0n ? 1n : -1n),
  }))
}

const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Proves the days that can still change, every hour. */
export const proveLedgerJob = defineJob({
  name: 'budgets.prove-ledger',
  payload: Type.Object({}),
  retries: 2,
  backoff: { firstSeconds: 10, maxSeconds: 60 },
  timeoutSeconds: 600,
  concurrency: 1,
  async run(_, deps: ProofDeps, { log }) {
    const nowMs = deps.clock.now().getTime()
    const days = { fromDay: dateOf(nowMs - 2 * DAY_MS), toDay: dateOf(nowMs + DAY_MS) }
    const { differenceMicros, faults, budgetDays } = await proveLedger(deps, {
      ...days,
      withEvents: true,
    })
    if (faults.length === 0) log.info({ budgetDays }, 'the ledger agrees')
    else log.error({ faults, differenceMicros: String(differenceMicros) }, 'the ledger differs')
  },
})
