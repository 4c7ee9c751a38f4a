import * as contract from '@placard/contract/tracking'
import { Type } from 'typebox'
import { ignoreBodies } from '../../../platform/http/ignored-bodies.ts'
import type { Http } from '../../../platform/http/server.ts'
import type { Claims } from '../links/claims.ts'
import { FRESH, pageOf, PUBLIC, refuseForged } from './routes.ts'
import { trackToken, type TrackingDeps } from './track.ts'

export interface NoticeDeps extends TrackingDeps {
  /** Ends what is held for a showing that nobody will see. */
  releaseHold(claims: Claims): Promise<void>
}

const NOTICE = { ...PUBLIC, crossOrigin: 'with-credentials' } as const

const SCHEMA = {
  tags: ['tracking'],
  params: contract.TrackingParams,
  querystring: contract.NoticeQuery,
  response: { 200: Type.String({ description: 'Empty' }) },
}

/** The notices of OpenRTB: `burl` and `lurl`, by GET or by POST with any body or none. */
export function noticeRoutes(http: Http, deps: NoticeDeps): void {
  void http.register(async (notices) => {
    ignoreBodies(notices)
    billingRoutes(notices, deps)
    lossRoutes(notices, deps)
  })
}

function billingRoutes(http: Http, deps: NoticeDeps): void {
  for (const method of ['GET', 'POST'] as const) {
    http.route({
      method,
      url: '/t/b/:token',
      config: NOTICE,
      schema: {
        ...SCHEMA,
        hide: method === 'POST',
        operationId: 'trackBilling',
        summary: 'Count an impression by the billing notice of its bid',
        description:
          'The same event as the pixel of the bid: both together are one impression. A notice without the seal of a key counts only if its sender looks like a reader, so that a server does not take the reader’s place.',
      },
      async handler(request, reply) {
        const { token } = request.params
        const isSealed = isSealedNotice(deps, token, request.query.x)
        const sender = isSealed ? ({ isSealed } as const) : ({ countsOnlyValid: true } as const)
        const report = { kind: 'impression', token, ...sender, ...pageOf(request) } as const
        refuseForged(await trackToken(deps, request, report))
        return reply.headers(FRESH).send('')
      },
    })
  }
  http.head('/t/b/:token', { config: NOTICE, schema: { hide: true } }, (_request, reply) =>
    reply.headers(FRESH).send(),
  )
}

function lossRoutes(http: Http, { sealer, clock, releaseHold }: NoticeDeps): void {
  for (const method of ['GET', 'POST'] as const) {
    http.route({
      method,
      url: '/t/l/:token',
      config: NOTICE,
      schema: {
        ...SCHEMA,
        hide: method === 'POST',
        operationId: 'trackLoss',
        summary: 'Release what a bid holds, because it lost elsewhere',
        description: 'Only with the seal of a key; anything else is answered and has no effect.',
      },
      async handler(request, reply) {
        const { token } = request.params
        const nowMs = clock.now().getTime()
        const opened = sealer.open(token, { purpose: 'impression', nowMs })
        if (opened.verdict === 'forged' || opened.verdict === 'other-kind') refuseForged('forged')
        else if (isSealedNotice({ sealer }, token, request.query.x)) {
          await releaseHold(opened.claims)
        }
        return reply.headers(FRESH).send('')
      },
    })
  }
}

/** `x` is the id of a key and the signature of both: only a caller with that key was given it. */
function isSealedNotice(
  { sealer }: Pick<TrackingDeps, 'sealer'>,
  token: string,
  seal: string | undefined,
): boolean {
  const [keyId, signature] = seal?.split('.') ?? []
  if (!keyId || !signature) return false
  return sealer.isSigned(`${keyId} ${token}`, signature)
}
