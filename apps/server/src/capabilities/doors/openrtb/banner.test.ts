import { describe, expect, test } from 'vitest'
import { advertiserDomain } from '../shared/advertiser-domain.ts'
import { requestedBanner } from './banner.ts'
import { aBanner, aShowing } from './testing-cases.ts'

describe('an OpenRTB banner', () => {
  test.each([
    ['its size is requested', ['300x250', '728x90'], aBanner(), undefined],
    ['its size is not requested', ['728x90'], aBanner(), 'request-size'],
    [
      'the size of one of its variants is requested',
      ['728x90'],
      aBanner({ sizes: ['300x250', '728x90'] }),
      undefined,
    ],
    ['it has no size', ['728x90'], aBanner({ sizes: [] }), undefined],
    ['no size is requested', [], aBanner(), undefined],
    ['it is a film', [], aBanner({ format: 'video' }), 'request-format'],
  ])('when %s', (...[, sizes, banner, reason]) => {
    expect(requestedBanner(sizes).judge(banner)).toBe(reason)
  })

  test('a banner’s markup is a link around the picture in its size, and a pixel', () => {
    const bid = requestedBanner(['300x250']).present(aShowing(aBanner()))

    expect(bid).toMatchObject({ mtype: 1, w: 300, h: 250 })
    expect(bid.adm).toBe(
      '<a href="https://ads.example/t/c/two" target="_blank" rel="noopener nofollow sponsored">' +
        '<img src="https://ads.example/api/v1/assets/1/file" width="300" height="250" alt="Red shoes" style="border:0;display:block;max-width:100%"></a>' +
        '<img src="https://ads.example/t/i/one" width="1" height="1" alt="" style="position:absolute;visibility:hidden">',
    )
  })

  test('a banner shows its variant of the preferred size, and its mobile picture on a phone', () => {
    const variants = { '728x90': 'https://cdn.example/wide.png' }
    const images = { ...aBanner().images, variants, mobile: 'https://cdn.example/small.png' }
    const banner = aBanner({ sizes: ['300x250', '728x90'], images })

    const { adm, w } = requestedBanner(['728x90', '300x250']).present(aShowing(banner))

    expect(w).toBe(728)
    expect(adm).toContain('src="https://cdn.example/wide.png"')
    expect(adm).toContain('srcset="https://cdn.example/small.png"')
  })

  test('an HTML banner is framed without an origin, so that its scripts do not reach the page', () => {
    const html = '<script>top.location = "x"</script><a href="{clickUrl}">Go</a>'

    const { adm } = requestedBanner([]).present(aShowing(aBanner({ format: 'html', html })))

    expect(adm).toMatch(/^<iframe sandbox="(?!.*allow-same-origin)[^"]*"/)
    expect(adm).toContain('&lt;a href=&quot;https://ads.example/t/c/two&quot;&gt;')
    expect(adm).not.toContain('<script')
  })

  test('a banner in a test request counts nothing, and its click goes straight to the landing page', () => {
    const { adm } = requestedBanner([]).present(aShowing(aBanner(), { links: undefined }))

    expect(adm).toContain('href="https://www.northwind.example/shoes"')
    expect(adm).not.toContain('/t/')
  })

  test('a banner’s text cannot break out of an attribute', () => {
    const banner = aBanner({ headline: '"><script>x</script>' })

    const { adm } = requestedBanner([]).present(aShowing(banner))

    expect(adm).toContain('alt="&quot;&gt;&lt;script&gt;x&lt;/script&gt;"')
  })
})

describe('the domain of an advertiser', () => {
  const advertisers = (domain: string | null) =>
    new Map([[1, { publicId: 'a', name: 'Northwind', domain }]])

  test('an advertiser’s domain is its own, else the host of its landing page without www.', () => {
    const banner = aBanner()

    expect(advertiserDomain({ advertisers: advertisers(null) }, banner)).toBe('northwind.example')
    expect(advertiserDomain({ advertisers: advertisers('nw.example') }, banner)).toBe('nw.example')
    expect(
      advertiserDomain({ advertisers: advertisers(null) }, aBanner({ landingUrl: null })),
    ).toBeUndefined()
  })
})
