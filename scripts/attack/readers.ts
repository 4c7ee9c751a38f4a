import type { Attack } from './attacks.ts'
import type { Answer, Call, Target } from './target.ts'

/** What a publisher tries on the readers of another who has given one the same id. */
export const READERS: readonly Attack[] = [
  {
    name: 'a publisher empties and replaces the segments that another said',
    run: (target) =>
      afterwards(target, 'emptied', async ({ send, neighbour }) => {
        const path = '/api/v1/users/emptied/segments'
        await send('PUT', path, { as: neighbour, body: { segments: [] } })
        await send('PUT', path, { as: neighbour, body: { segments: ['theirs'] } })
      }),
    holds: isStillSaid,
  },
  {
    name: 'a publisher forgets a reader of another',
    run: (target) =>
      afterwards(target, 'forgotten', async ({ send, neighbour }) => {
        await send('DELETE', '/api/v1/users/forgotten', { as: neighbour })
      }),
    holds: isStillSaid,
  },
  {
    name: 'a publisher learns on its own placement what another said',
    async run(target) {
      await afterwards(target, 'shared', async () => {})
      return explain(target, target.ids.neighbourSlug, 'shared')
    },
    holds: ({ status, body }) => status === 200 && segmentsOf(body) === undefined,
  },
  ...(
    [
      ['PUT', '/api/v1/users/named/segments', { segments: ['theirs'] }],
      ['DELETE', '/api/v1/users/named', undefined],
    ] as const
  ).map(([method, path, body]) => ({
    name: `a publisher names another one: ${method} ${path}`,
    run: ({ send, neighbour, ids }: Target) =>
      send(method, `${path}?publisherId=${ids.publisher}`, callOf(neighbour, body)),
    holds: isRefused,
  })),
  {
    name: 'a publisher has a context token made for another one’s placements',
    run: ({ send, neighbour, ids }) =>
      send(
        'POST',
        '/api/v1/context-tokens',
        callOf(neighbour, { publisherId: ids.publisher, segments: ['theirs'] }),
      ),
    holds: isRefused,
  },
]

const SAID = 'said by the seller'

function isStillSaid({ status, body }: Answer): boolean {
  return status === 200 && JSON.stringify(segmentsOf(body)) === JSON.stringify([SAID])
}

function isRefused({ status }: Answer): boolean {
  return status === 404 || status === 403
}

const callOf = (as: Call['as'] & object, body: object | undefined): Call => ({
  as,
  ...(body !== undefined && { body }),
})

const segmentsOf = (body: Answer['body']) =>
  (body['context'] as { segments?: readonly string[] } | undefined)?.segments

/** What decisions know of the seller's reader after the neighbour's try. */
async function afterwards(
  target: Target,
  userId: string,
  tried: (target: Target) => Promise<void>,
): Promise<Answer> {
  const { ids } = target
  await say(target, userId)
  await tried(target)
  // Changes arrive in order: once the last is known, all are.
  await say(target, `after ${userId}`)
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const last = await explain(target, ids.placementSlug, `after ${userId}`)
    if (segmentsOf(last.body) !== undefined) break
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  return explain(target, ids.placementSlug, userId)
}

const PAUSE_MS = 20
const TRIES_MAX = 500

const say = ({ send, sellerKey }: Target, userId: string) =>
  send('PUT', `/api/v1/users/${encodeURIComponent(userId)}/segments`, {
    as: sellerKey,
    body: { segments: [SAID] },
  })

const explain = ({ send, operator }: Target, placement: string, userId: string) =>
  send('POST', '/api/v1/admin/decisions/explain', { as: operator, body: { placement, userId } })
