import { expect, test } from 'vitest'
import { addUser, signInAs } from '../../../testing/server.ts'
import { aServingWorld } from '../../../testing/worlds/serving-world.ts'
import { BROWSER, startWhole } from '../../../testing/worlds/whole-world.ts'

test('a publisher reads the share of its requests by the signal that refused something', async () => {
  const world = await aServingWorld()
  const placement = await world.addPlacement({ type: 'feed', mode: 'auction' })
  await world.addBidder(placement, 5_000_000n)
  const whole = await startWhole(world)
  const ask = (query: string, headers: Record<string, string> = {}) =>
    whole.post(`/api/v1/ads/serve?${query}`, { placement: 'home-top' }, { ...BROWSER, ...headers })
  await ask('')
  await ask('gdpr=0')
  await ask('us_privacy=1YYN')
  await ask('us_privacy=1YYN', { 'sec-gpc': '1' })

  await whole.serving.stop()

  const shares = [
    { signal: 'none', requests: 2, share: 0.5 },
    { signal: 'gpc', requests: 1, share: 0.25 },
    { signal: 'us-privacy', requests: 1, share: 0.25 },
  ]
  expect(await whole.admin('/reports/consent')).toMatchObject({ requests: 4, signals: shares })
  const read = async () => {
    const account = { id: world.seller.id, publicId: '' }
    const { email } = await addUser(whole.deps, 'publisher', account)
    const { headers } = await signInAs(whole, email)
    return (await whole.http.inject({ url: '/api/v1/admin/reports/consent', headers })).json()
  }
  expect(await read()).toMatchObject({ requests: 4, signals: shares })
  expect(await whole.admin('/reports/consent?to=2020-01-01')).toMatchObject({
    from: '2019-12-05',
    requests: 0,
    signals: [],
  })
})
