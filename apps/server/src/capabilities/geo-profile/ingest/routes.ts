import { OBSERVATION_BYTES_MAX, readObservation } from '@placard/client/observations'
import * as contract from '@placard/contract/geo-profile'
import { Type } from 'typebox'
import { addLeanRoute } from '../../../platform/http/fast-lane/fast-lane.ts'
import type { Http } from '../../../platform/http/server.ts'
import { Problem } from '../../../platform/problem.ts'
import type { Intake } from './intake.ts'
import { geoProblems } from '../problems.ts'

/** What the edge publishes: bytes in, a status out, nothing else. */
export function ingestRoutes(http: Http, { intake }: { intake: Intake }): void {
  // A scope of its own: here a body is bytes, and nothing else is taken.
  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/octet-stream',
      { parseAs: 'buffer', bodyLimit: OBSERVATION_BYTES_MAX },
      (_request, body, done) => done(null, body),
    )
    observationRoute(scope, intake)
  })
}

function observationRoute(http: Http, intake: Intake): void {
  addLeanRoute(http, {
    method: 'POST',
    url: '/observations',
    config: {
      access: 'observations:write',
      remembersCaller: true,
      isForMachines: true,
      shedsLoad: true,
      rateLimit: false,
    },
    bytesMax: OBSERVATION_BYTES_MAX,
    schema: {
      operationId: 'acceptObservation',
      summary: 'Take one observation of an authenticated request',
      description:
        'FlatBuffers, identifier GPO1: see packages/client. Answered when it is durable.',
      tags: ['geo profile'],
      body: {
        content: { 'application/octet-stream': { schema: contract.ObservationMessage } },
      } as never,
      response: { 202: Type.Unsafe<undefined>({ type: 'null' }) },
    },
    headers: {},
    async answer({ body }, send) {
      const note = (body as unknown) instanceof Uint8Array ? readObservation(body) : undefined
      if (!note) throw new Problem(geoProblems.malformed, 'Nothing of it is kept.')
      if ((await intake.accept(note)) === 'refused') {
        throw new Problem(geoProblems.queueUnavailable, 'The queue did not take it.')
      }
      send(202)
    },
  })
}
