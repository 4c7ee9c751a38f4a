import { OBSERVATION_BYTES_MAX, readObservation } from '@placard/client/observations'
import * as contract from '@placard/contract/geo-profile'
import { Type } from 'typebox'
import { addLeanRoute } from '../../../platform/http/fast-lane/fast-lane.ts'
import type { Http } from '../../../platform/http/server.ts'
import { Problem } from '../../../platform/problem.ts'
import type { Intake } from './intake.ts'
import { geoProblems } from '../problems.ts'

/** Receives what edges publish: bytes in, a status out. */
export function ingestRoutes(http: Http, { intake }: { intake: Intake }): void {
  // Only in this scope, a body is bytes. Nothing else is accepted.
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
      summary: 'Accept one observation of an authenticated request',
      description:
        'FlatBuffers with the identifier GPO1, see packages/client. The answer comes once the observation is durable.',
      tags: ['geo profile'],
      body: {
        content: { 'application/octet-stream': { schema: contract.ObservationMessage } },
      } as never,
      response: { 202: Type.Unsafe<undefined>({ type: 'null' }) },
    },
    headers: {},
    async answer({ body }, send) {
      const note = (body as unknown) instanceof Uint8Array ? readObservation(body) : undefined
      if (!note) throw new Problem(geoProblems.malformed, 'Nothing was stored.')
      if ((await intake.accept(note)) === 'refused') {
        throw new Problem(geoProblems.queueUnavailable, 'The queue did not accept it.')
      }
      send(202)
    },
  })
}
