import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { serverOfNothing } from '../../testing/http.ts'

const Row = Type.Object({
  slug: Type.Union([Type.String({ pattern: '^[a-z]+$' }), Type.Null()]),
  pacing: Type.Optional(Type.Object({ hours: Type.Array(Type.Number()) })),
})

test('one value that does not fit its description hides neither its row nor the others, and shows nothing else', async () => {
  const http = await serverOfNothing()
  const items = [
    { slug: 'fine', secret: 1 },
    { slug: '../wrong', pacing: { hours: [1], secret: 2 }, secret: 3 },
  ]
  http.get(
    '/rows',
    {
      config: { access: 'public' },
      schema: { hide: true, response: { 200: Type.Object({ items: Type.Array(Row) }) } },
    },
    async () => ({ items }),
  )

  const answer = await http.inject('/rows')

  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toEqual({
    items: [{ slug: 'fine' }, { slug: '../wrong', pacing: { hours: [1] } }],
  })
})
