import * as contract from '@placard/contract/operations'
import { httpProblems } from '../http/problems.ts'
import type { Http } from '../http/server.ts'
import { Problem } from '../problem.ts'
import { runCommand } from '../http/command.ts'
import { actorOf, type ResourceDeps } from '../resources/index.ts'
import { type DeadLetter, type Jobs, queueOf, type JobDefinition } from './job.ts'
import { jobProblems } from './problems.ts'

export interface JobRouteDeps extends ResourceDeps {
  /** Absent in a process without a queue. */
  readonly jobs: Jobs | undefined
  readonly knownJobs: readonly JobDefinition[]
}

/** Queues, runs and dead letters, for operators. */
export function jobRoutes(http: Http, deps: JobRouteDeps): void {
  queuesRoute(http, deps)
  runsRoute(http, deps)
  deadLettersRoute(http, deps)
  requeueRoute(http, deps)
}

const described = (operationId: string, summary: string) => ({
  operationId,
  summary,
  tags: ['operations'],
})

function queuesRoute(http: Http, deps: JobRouteDeps): void {
  http.get(
    '/operations/queues',
    {
      config: { access: 'operations:read' },
      schema: {
        ...described('readQueues', 'Waiting work by queue, and the jobs'),
        response: { 200: contract.QueueList },
      },
    },
    async () => ({
      items: [...(await ask(deps, (jobs) => jobs.counts()))],
      jobs: deps.knownJobs.map((job) => ({ job: job.name, queue: queueOf(job) })),
    }),
  )
}

function runsRoute(http: Http, deps: JobRouteDeps): void {
  http.get(
    '/operations/jobs/:jobName/runs',
    {
      config: { access: 'operations:read' },
      schema: {
        ...described('readRuns', 'The latest runs of a job, newest first'),
        params: contract.RunParams,
        querystring: contract.RunQuery,
        response: { 200: contract.RunList },
      },
    },
    async ({ params, query }) => {
      const job = deps.knownJobs.find(({ name }) => name === params.jobName)
      if (!job) throw new Problem(jobProblems.notFound, params.jobName)
      const runs = await ask(deps, (jobs) => jobs.listRuns(job, query.limit ?? 50))
      return {
        items: runs.map(({ dueAt, dedupeKey, progress, ...run }) => ({
          ...run,
          dueAt: dueAt.toISOString(),
          dedupeKey: dedupeKey ?? null,
          progress: progress ?? null,
        })),
      }
    },
  )
}

function deadLettersRoute(http: Http, deps: JobRouteDeps): void {
  http.get(
    '/operations/dead-letters',
    {
      config: { access: 'operations:read' },
      schema: {
        ...described('readDeadLetters', 'Runs without retries left, newest first'),
        querystring: contract.DeadLetterQuery,
        response: { 200: contract.DeadLetterList },
      },
    },
    async ({ query: { limit = 50, cursor } }) => {
      const before = cursor && placeOf(cursor)
      const letters = await ask(deps, (jobs) =>
        jobs.listDeadLetters({ limit, ...(before && { before }) }),
      )
      const last = letters.length === limit ? letters.at(-1) : undefined
      return { items: letters.map(present), ...(last && { nextCursor: cursorTo(last) }) }
    },
  )
}

function requeueRoute(http: Http, deps: JobRouteDeps): void {
  http.post(
    '/operations/dead-letters/requeue',
    {
      config: { access: 'operations:write' },
      schema: {
        ...described('requeueDeadLetters', 'Run dead letters again, with a full set of retries'),
        body: contract.Requeue,
        response: { 200: contract.RequeueResult },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const items: { id: string; outcome: string }[] = []
        for (const id of request.body.ids) {
          items.push({ id, outcome: await ask(deps, (jobs) => jobs.requeue(id)) })
        }
        await deps.audit(db, {
          actor: actorOf(request),
          accountId: null,
          action: 'dead-letter.requeue',
          entity: 'dead letter',
          entityId: request.body.ids[0]!,
          before: null,
          after: { items },
        })
        return { status: 200, body: { items } }
      }),
  )
}

/** A queue that does not answer is a 503, not a bug. */
async function ask<Value>(
  { jobs }: JobRouteDeps,
  question: (jobs: Jobs) => Promise<Value>,
): Promise<Value> {
  if (!jobs) throw new Problem(httpProblems.unavailable, 'This process has no job queue.')
  try {
    return await question(jobs)
  } catch (cause) {
    const problem = new Problem(httpProblems.unavailable, 'The queue of jobs does not answer.')
    problem.cause = cause
    throw problem
  }
}

const present = ({ enqueuedAt, failedAt, ...letter }: DeadLetter) => ({
  ...letter,
  enqueuedAt: enqueuedAt.toISOString(),
  failedAt: failedAt.toISOString(),
})

const cursorTo = ({ failedAt, id }: DeadLetter) => `${failedAt.getTime()}~${id}`

function placeOf(cursor: string) {
  const [ms, id] = cursor.split('~')
  return { failedAt: new Date(Number(ms)), id: id! }
}
