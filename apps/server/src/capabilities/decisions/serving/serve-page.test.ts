import { micros } from '@placard/money'
import { describe, expect, test } from 'vitest'
import { aServingWorld, startServing } from '../../../testing/worlds/serving-world.ts'

async function aPage() {
  const world = await aServingWorld()
  const site = await world.addSite()
  const small = await world.addPlacement({ slug: 'small', mode: 'auction' })
  const large = await world.addPlacement({ slug: 'large', mode: 'auction' })
  await world.addSlot(site, small, { width: 300, height: 50 })
  await world.addSlot(site, large, { width: 970, height: 250 })
  const campaign = await world.addCampaign()
  await world.addCampaignPlacement(campaign, small)
  await world.addCampaignPlacement(campaign, large)
  const ad = await world.addAd(campaign, 5_000_000n)
  return { world, site, small, large, campaign, ad }
}

describe('POST /sites/:siteId/serve', () => {
  test('a campaign appears once on a page, in the largest slot', async () => {
    const { world, site, ad } = await aPage()
    const { servePage, recorder } = await startServing(world)

    const { json } = await servePage(site, ['small', 'large'])

    expect(json()).toMatchObject({
      siteId: site.publicId,
      slots: [
        { placement: 'small', banners: [] },
        { placement: 'large', banners: [{ adPublicId: ad.publicId }] },
      ],
    })
    expect(recorder.records.map(({ kind, siteKey }) => [kind, siteKey])).toEqual([
      ['page', Number(site.id)],
      ['page', Number(site.id)],
    ])
  })

  test('with every slot empty the answer is 204', async () => {
    const { world, site } = await aPage()
    await world.pool.query(`update ads set status = 'paused'`)
    const { servePage } = await startServing(world)

    expect((await servePage(site, ['small', 'large'])).statusCode).toBe(204)
  })

  test('a placement of another site stays empty', async () => {
    const { world, site } = await aPage()
    const elsewhere = await world.addPlacement({ slug: 'elsewhere', mode: 'auction' })
    await world.addBidder(elsewhere, 9_000_000n)
    const { servePage, recorder } = await startServing(world)

    const { json } = await servePage(site, ['elsewhere', 'large', 'nowhere'])

    expect(json().slots.map(({ banners }: { banners: unknown[] }) => banners.length)).toEqual([
      0, 1, 0,
    ])
    expect(recorder.records.map(({ decision }) => decision.emptyReason)).toEqual([
      'placement-not-on-site',
      undefined,
      'placement-not-found',
    ])
  })

  test('an unknown or inactive site is a problem', async () => {
    const { world, site, ad } = await aPage()
    await world.pool.query('update sites set is_active = false')
    const { servePage } = await startServing(world)

    expect((await servePage(site, ['large'])).json()).toMatchObject({ code: 'SITE_NOT_FOUND' })
    expect((await servePage(ad, ['large'])).json()).toMatchObject({ code: 'SITE_NOT_FOUND' })
  })

  test('nothing runs on a site until its domain is proven', async () => {
    const { world, site } = await aPage()
    await world.pool.query('update sites set domain_proven_at = null, domain_proven_by = null')
    const { servePage, serveSlug, untilApplied } = await startServing(world)

    expect((await servePage(site, ['large'])).json()).toMatchObject({
      code: 'SITE_DOMAIN_UNPROVEN',
      status: 409,
    })
    expect((await serveSlug('large')).json().detail).toContain('has no proven domain')

    await world.pool.query(`update sites set domain_proven_at = now(), domain_proven_by = 'dns'`)
    await untilApplied()
    expect((await servePage(site, ['large'])).statusCode).toBe(200)
    expect((await serveSlug('large')).json().banners).toHaveLength(1)
  })

  test('a site holds back as many page calls as its throttle says', async () => {
    const { world, site } = await aPage()
    await world.pool.query(`update sites set pacing = '{"testThrottleOverride": 0.5}'`)
    const { servePage, recorder } = await startServing(world)

    for (let call = 0; call < 100; call++) await servePage(site, ['large'])

    const reasons = recorder.records.map(({ decision }) => decision.emptyReason)
    const paced = reasons.filter((reason) => reason === 'site-paced').length
    expect(paced).toBeGreaterThan(30)
    expect(paced).toBeLessThan(70)
  })

  test('a site in warm-up counts its traffic and shows nothing', async () => {
    const { world, site } = await aPage()
    await world.pool.query(`update sites set pacing = '{"warmupMode": true}'`)
    const { servePage } = await startServing(world)

    expect((await servePage(site, ['large'])).statusCode).toBe(204)
  })

  test('a campaign without a daily budget is shown on a page', async () => {
    const { world, site, campaign } = await aPage()
    await world.pool.query('update campaigns set budget_daily_micros = 1000000 where id = $1', [
      campaign.id,
    ])
    const rich = await world.addCampaign({ maxBidMicros: micros(1_000_000n) })
    await world.pool.query(
      `insert into campaign_placements select $1, id, true, 1, now() from placements`,
      [rich.id],
    )
    const other = await world.addAd(rich, 1_000_000n)
    const { servePage, budgets } = await startServing(world)
    budgets.spent.set(Number(campaign.id), 1_000_000)

    const { json } = await servePage(site, ['large'])

    expect(json().slots).toMatchObject([{ banners: [{ adPublicId: other.publicId }] }])
  })
})
