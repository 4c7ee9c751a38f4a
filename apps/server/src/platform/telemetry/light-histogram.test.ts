import { Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { LightHistogram } from './light-histogram.ts'

const OPTIONS = { name: 'waits_seconds', help: 'Waits', buckets: [0.1, 1] }
const VALUES = [0, 0.1, 0.100001, 0.5, 1, 7]

test('it tells the same as the library’s histogram', async () => {
  const [heavy, light] = [new Registry(), new Registry()]
  const labelNames = ['method', 'code']
  const known = new Histogram({ ...OPTIONS, labelNames, registers: [heavy] })
  const own = new LightHistogram({ ...OPTIONS, labelNames, registers: [light] })
  const post = own.series('POST', '200')

  for (const value of VALUES) known.observe({ method: 'POST', code: '200' }, value)
  for (const value of VALUES) post.observe(value)
  known.observe({ method: 'GET', code: '404' }, 2)
  own.series('GET', '404').observe(2)

  expect(await light.metrics()).toBe(await heavy.metrics())
})
