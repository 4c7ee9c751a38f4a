import { DAY_MS } from '@placard/calendar'
import { Type } from 'typebox'
import type { Clock } from '../../platform/clock.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { type JudgeDeps, judgeAgents } from './agents/operations-judge.ts'
import { type AgentDeps, stepAgents } from './agents/operations-step.ts'
import { trimAgents } from './agents/store-windows.ts'

const NOTHING = Type.Object({})

/** Every agent observes the last 15 minutes and sets its multiplier. Runs every 15 minutes. */
export const stepAgentsJob = defineJob({
  name: 'learning.step-agents',
  payload: NOTHING,
  retries: 2,
  backoff: { firstSeconds: 20, maxSeconds: 60 },
  timeoutSeconds: 600,
  concurrency: 1,
  dedupeKey: () => 'learning-step-agents',
  async run(_, deps: AgentDeps, { log, signal }) {
    const agents = await stepAgents(deps, signal)
    if (agents > 0) log.info({ agents }, 'bid agents stepped')
  },
})

/** Replays and judges campaigns whose day has ended, once a day each. Runs every hour. */
export const judgeAgentsJob = defineJob({
  name: 'learning.judge-agents',
  payload: NOTHING,
  retries: 1,
  backoff: { firstSeconds: 60, maxSeconds: 60 },
  timeoutSeconds: 3_000,
  concurrency: 1,
  dedupeKey: () => 'learning-judge-agents',
  async run(_, deps: JudgeDeps, { log, signal }) {
    const campaigns = await judgeAgents(deps, signal)
    if (campaigns > 0) log.info({ campaigns }, 'bid policies judged')
  },
})

/** Longer than the replay needs, so that people can look back. */
const KEPT_DAYS = 30

export const trimAgentsJob = defineJob({
  name: 'learning.trim-agents',
  payload: NOTHING,
  retries: 0,
  backoff: { firstSeconds: 1, maxSeconds: 1 },
  timeoutSeconds: 300,
  concurrency: 1,
  async run(_, { db, clock }: Pick<AgentDeps, 'db'> & { readonly clock: Clock }, { log }) {
    const before = new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS).toISOString().slice(0, 10)
    const trimmed = await trimAgents(db, before)
    if (trimmed > 0) log.info({ trimmed }, 'old windows of bid agents forgotten')
  },
})
