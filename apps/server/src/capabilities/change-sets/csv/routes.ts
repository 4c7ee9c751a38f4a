import { ChangeSet, CSV_CHARACTERS_MAX, ImportCsv } from '@placard/contract/change-sets'
import type { FastifyRequest } from 'fastify'
import { type TObject, Type } from 'typebox'
import { faultsOfValidation } from '../../../platform/http/reply-with-problem.ts'
import type { Http } from '../../../platform/http/server.ts'
import { actorOf } from '../../../platform/resources/index.ts'
import type { ChangeSetDeps } from '../operations.ts'
import { answerSet } from '../answer.ts'
import type { CheckBody } from './import.ts'
import { CSV_THINGS, type CsvThing, draftImport, exportCsv } from './operations.ts'

/** Room for as many characters as the contract takes, of four bytes each. */
const CSV_BYTES_MAX = 4 * CSV_CHARACTERS_MAX + 100_000

/** Lists as files, out and in. */
export function csvRoutes(http: Http, deps: ChangeSetDeps): void {
  for (const thing of CSV_THINGS) {
    exportRoute(http, deps, thing)
    importRoute(http, deps, thing)
  }
}

const upper = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

function exportRoute(http: Http, deps: ChangeSetDeps, thing: CsvThing): void {
  const { plural, resource } = thing
  const { limit: _limit, cursor: _cursor, ...filters } = resource.query.properties
  http.get(
    `/csv/${plural}`,
    {
      config: { access: `${resource.permission}:read` },
      schema: {
        operationId: `export${upper(plural)}Csv`,
        summary: `Export ${plural} as CSV, up to 10,000 rows, filtered as in their list`,
        tags: ['change sets'],
        querystring: Type.Object(filters, { additionalProperties: false }),
        response: { 200: Type.Any({ description: 'The file' }) },
      },
    },
    async (request, reply) => {
      const csv = await exportCsv(deps, thing, { query: request.query, actor: actorOf(request) })
      return reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${plural}.csv"`)
        .send(csv)
    },
  )
}

function importRoute(http: Http, deps: ChangeSetDeps, thing: CsvThing): void {
  const { plural, resource } = thing
  http.post(
    `/csv/${plural}`,
    {
      config: { access: `${resource.permission}:write` },
      bodyLimit: CSV_BYTES_MAX,
      schema: {
        operationId: `import${upper(plural)}Csv`,
        summary: `Preview a CSV file of ${plural}: a change set that is not published yet`,
        description:
          'A row with an id is changed where its cells differ from now; a row without one is made. Every fault is named by line and column, and then nothing is kept. An exported file changes nothing.',
        tags: ['change sets'],
        body: ImportCsv,
        response: { 201: ChangeSet },
      },
    },
    async (request, reply) => {
      const record = await draftImport(deps, thing, {
        csv: request.body.csv,
        actor: actorOf(request),
        checkCreate: checkBy(request, resource.create),
        checkPatch: checkBy(request, resource.patch),
      })
      return answerSet(deps, { reply, record, status: 201 })
    },
  )
}

/** The same check, and the same words, as for a body of JSON. */
function checkBy(request: FastifyRequest | object, schema: TObject): CheckBody {
  const check = (request as FastifyRequest).compileValidationSchema(schema, 'body')
  return (body) => {
    if (check(body)) return []
    return faultsOfValidation(check.errors ?? []).map(({ path, message }) => ({
      field: path.split('/')[1] ?? '',
      message,
    }))
  }
}
