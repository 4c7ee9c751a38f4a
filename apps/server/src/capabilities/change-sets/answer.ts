import type { FastifyReply } from 'fastify'
import { etagOf, showRow, type Values } from '../../platform/resources/index.ts'
import type { ChangeSetDeps } from './operations.ts'
import { changeSet } from './resources.ts'

/** Answers with a change set and the counts of its rows. */
export async function answerSet(
  deps: ChangeSetDeps,
  { reply, record, status }: { reply: FastifyReply; record: Values; status: number },
) {
  const shown = await showRow(deps, changeSet, record)
  const location = `/api/v1/admin/change-sets/${String(record['publicId'])}`
  return reply
    .code(status)
    .headers({ ...etagOf(record), ...(status === 201 && { location }) })
    .send(shown)
}
