import { describe, expect, test } from 'vitest'
import { aServingWorld, startServing } from '../../../testing/worlds/serving-world.ts'

describe('GET /banners/serve/:slug', () => {
  test('a placement shows its bookings in order, with their text overrides', async () => {
    const world = await aServingWorld()
    const placement = await world.addPlacement({ maxBanners: 2, recommendedWidth: 970 })
    const late = await world.addBooking(placement, { displayOrder: 2 })
    const early = await world.addBooking(placement, {
      displayOrder: 1,
      overrideHeadline: 'Only today',
      overrideCtaUrl: 'https://shop.example/today?x=1#now',
    })
    await world.pool.query(
      `update banners set headline = 'Shoes', cta_label = 'Buy', utm_source = 'placard'`,
    )
    const { serveSlug } = await startServing(world)

    const { json, headers } = await serveSlug()

    expect(headers['cache-control']).toBe('no-store')
    expect(json()).toMatchObject({
      placement: {
        slug: 'home-top',
        layoutType: 'full_static',
        maxBanners: 2,
        recommendedWidth: 970,
      },
      banners: [
        {
          publicId: early.banner.publicId,
          campaignPublicId: early.campaign.publicId,
          images: { primary: 'https://cdn.example/red.png', alt: null, mobile: null },
          headline: 'Only today',
          cta: {
            label: 'Buy',
            url: 'https://shop.example/today?x=1&utm_source=placard#now',
            openNewTab: false,
          },
          order: 0,
          isFallback: false,
        },
        { publicId: late.banner.publicId, headline: 'Shoes', order: 1 },
      ],
      servedAt: '2026-06-15T12:00:00.000Z',
    })
  })

  test('the tag of another ad server gets a number of its own and the click address within its own', async () => {
    const world = await aServingWorld()
    const placement = await world.addPlacement({ maxBanners: 2 })
    const html = '<script src="https://x.example/?c={clickUrlEncoded}&n={cachebuster}"></script>'
    const shown = { format: 'html', html: `${html}<a href="{clickUrl}">Go</a>` }
    await world.addBooking(placement, { banner: shown })
    const { serveSlug } = await startServing(world)

    const [first, second] = [await serveSlug(), await serveSlug()].map((answer) => {
      const { html, clickUrl } = answer.json().banners[0]
      expect(html).toContain(`?c=${encodeURIComponent(clickUrl)}&n=`)
      expect(html).toContain('<a href="{clickUrl}">')
      return /&n=([\w-]{12})"/.exec(html)![1]
    })
    expect(first).not.toBe(second)
  })

  test('an empty placement answers with its placeholder', async () => {
    const world = await aServingWorld()
    await world.addPlacement({ fallbackPlaceholderUrl: 'https://cdn.example/empty.png' })
    const { serveSlug } = await startServing(world)

    const response = await serveSlug()

    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({
      banners: [],
      placeholderUrl: 'https://cdn.example/empty.png',
    })
  })

  test('a banner’s placeholder fills empty room if the placement has none', async () => {
    const banner = { fallbackPlaceholderUrl: 'https://cdn.example/banner-empty.png' }
    const room = { maxBanners: 2, allowPartialRender: true }
    const serveWith = async (placement: object) => {
      const world = await aServingWorld()
      await world.addBooking(await world.addPlacement({ ...room, ...placement }), { banner })
      return (await (await startServing(world)).serveSlug()).json()
    }

    expect(await serveWith({})).toMatchObject({
      banners: [banner],
      placeholderUrl: banner.fallbackPlaceholderUrl,
    })
    expect(
      await serveWith({ fallbackPlaceholderUrl: 'https://cdn.example/empty.png' }),
    ).toMatchObject({ banners: [banner], placeholderUrl: 'https://cdn.example/empty.png' })
  })

  test('an unknown slug is a problem', async () => {
    const { serveSlug } = await startServing(await aServingWorld())

    const response = await serveSlug('nowhere')

    expect(response.statusCode).toBe(404)
    expect(response.json()).toMatchObject({ code: 'PLACEMENT_NOT_FOUND' })
  })

  test('a hybrid placement fills bookings first, then the auction, then fallbacks', async () => {
    const world = await aServingWorld()
    const hybrid = { mode: 'hybrid', maxBanners: 3, allowPartialRender: true }
    const placement = await world.addPlacement(hybrid)
    const fallback = await world.addBooking(placement, { isFallback: true })
    const booking = await world.addBooking(placement)
    const { ad } = await world.addBidder(placement, 5_000_000n)
    const { serveSlug } = await startServing(world)

    const { banners } = (await serveSlug()).json()

    expect(banners).toMatchObject([
      { publicId: booking.banner.publicId, adPublicId: null, isFallback: false },
      { adPublicId: ad.publicId, isFallback: false },
      { publicId: fallback.banner.publicId, isFallback: true },
    ])
  })

  test.each([
    { how: 'HEAD', method: 'HEAD', headers: {} },
    { how: 'Purpose: prefetch', method: 'GET', headers: { purpose: 'prefetch' } },
    { how: 'Sec-Purpose', method: 'GET', headers: { 'sec-purpose': 'prefetch;prerender' } },
  ] as const)('$how neither reserves nor records', async ({ method, headers }) => {
    const world = await aServingWorld()
    const placement = await world.addPlacement()
    await world.addBooking(placement, {}, 2_000_000n)
    const { http, budgets, recorder } = await startServing(world)

    const url = '/api/v1/banners/serve/home-top'
    const response = await http.inject({ method, url, headers })

    expect(response.statusCode).toBe(200)
    expect(budgets.heldMicros.size).toBe(0)
    expect(recorder.records).toEqual([])
  })
})

test('several placements are answered at once, and unknown ones are named', async () => {
  const world = await aServingWorld()
  const top = await world.addPlacement({ slug: 'top' })
  await world.addPlacement({ slug: 'side' })
  const { banner } = await world.addBooking(top)
  const { http, recorder } = await startServing(world)

  const payload = { slugs: ['side', 'nowhere', 'top'] }
  const { json } = await http.inject({ method: 'POST', url: '/api/v1/banners/serve', payload })

  expect(json()).toMatchObject({
    placements: [
      { placement: { slug: 'side' }, banners: [] },
      { placement: { slug: 'top' }, banners: [{ publicId: banner.publicId }] },
    ],
    notFound: ['nowhere'],
  })
  expect(recorder.records).toHaveLength(2)
})
