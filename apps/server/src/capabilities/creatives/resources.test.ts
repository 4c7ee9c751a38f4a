import { expect, test } from 'vitest'
import {
  createRow,
  listRows,
  patchRow,
  present,
  removeRow,
  type Values,
} from '../../platform/resources/index.ts'
import { restoreRow } from '../../platform/resources/operations.ts'
import { aCatalogue, codeOf, targetOf } from '../../testing/worlds/catalogue.ts'
import { importReferences, switchBanner } from './operations.ts'
import { banner, brand, creativeTemplate, seo } from './resources.ts'

test('a banner takes every column and shows the name of its advertiser', async () => {
  const { deps, buying, advertiser, addBanner } = await aCatalogue()
  const brandId = (await createRow(deps, brand, { body: { name: 'Acme' }, actor: buying })).publicId
  const body = {
    advertiserId: advertiser.publicId,
    title: 'Autumn',
    description: 'Everything',
    source: 'sponsored',
    format: 'video',
    isActive: false,
    primaryImageUrl: '/api/v1/assets/01890000-0000-7000-8000-000000000001/file',
    primaryImageAlt: 'A garden',
    mobileImageUrl: 'https://cdn.example/m.png',
    videoUrl: 'https://cdn.example/a.mp4',
    html: '<b>Sale</b>',
    mediaVariants: { 'de-DE': 'https://cdn.example/de.png' },
    width: 300,
    height: 250,
    headline: 'Sale',
    subheadline: 'Half off',
    ctaLabel: 'Shop',
    ctaUrl: 'https://shop.example',
    ctaOpenNewTab: true,
    utmSource: 'a',
    utmMedium: 'b',
    utmCampaign: 'c',
    utmContent: 'd',
    brandId,
    categoryId: null,
    adProductCategory: '1002',
    tags: ['sale', 'autumn'],
    bgColor: '#ffaa00',
    priority: 5,
    publishAt: '2026-07-01T00:00:00.000Z',
    expiresAt: '2026-08-01T00:00:00.000Z',
    scheduleTimezone: 'Asia/Kathmandu',
    recurrenceRule: 'FREQ=WEEKLY;BYDAY=MO',
    recurrenceWindowStart: '22:00:00',
    recurrenceWindowEnd: '06:00:00',
    isEvergreenFallback: true,
    fallbackPlaceholderUrl: 'https://cdn.example/empty.png',
  }

  await deps.db.execute('update advertisers set is_house = true')

  const made = await addBanner(body)

  expect(present(banner, made)).toMatchObject({
    ...body,
    advertiserName: 'Northwind',
    scheduleStatus: 'scheduled',
    productId: null,
    seoId: null,
    createdBy: null,
  })
})

test('the schedule status follows the dates at every change', async () => {
  const { deps, buying, addBanner } = await aCatalogue()
  const made = await addBanner()
  const schedule = (body: Values) => patchRow(deps, banner, { ...targetOf(made, buying), body })
  expect(made.scheduleStatus).toBe('evergreen')

  const scheduled = await schedule({ publishAt: '2026-06-16T00:00:00Z' })
  deps.clock.moveTo('2026-06-16T00:00:00Z')
  const active = await schedule({ expiresAt: '2026-06-17T00:00:00Z' })
  const evergreen = await schedule({ publishAt: null, expiresAt: null })

  const statuses = [scheduled, active, evergreen].map(({ scheduleStatus }) => scheduleStatus)
  expect(statuses).toEqual(['scheduled', 'active', 'evergreen'])
})

test('a schedule that ends before it begins and an invalid rule are refused with every fault', async () => {
  const { deps, buying, addBanner } = await aCatalogue()
  const made = await addBanner({ publishAt: '2026-07-01T00:00:00Z' })

  const work = patchRow(deps, banner, {
    ...targetOf(made, buying),
    body: { expiresAt: '2026-07-01T00:00:00Z', recurrenceRule: 'FREQ=YEARLY;COUNT=1' },
  })

  await expect(work).rejects.toMatchObject({
    kind: { code: 'BANNER_SCHEDULE_INVALID', status: 400 },
    faults: [
      { path: 'body/recurrenceRule' },
      { path: 'body/recurrenceRule' },
      { path: 'body/expiresAt' },
    ],
  })
})

test('a recurrence rule is stored in its one spelling', async () => {
  const { addBanner } = await aCatalogue()

  const made = await addBanner({ recurrenceRule: 'rrule:byday=fr,mo;freq=weekly;interval=1' })

  expect(made.recurrenceRule).toBe('FREQ=WEEKLY;BYDAY=MO,FR')
})

test('references must exist; a deleted reference leaves the banner without one', async () => {
  const { deps, buying, addBanner } = await aCatalogue()
  const missing = '01890000-0000-7000-8000-00000000dead'
  expect(await codeOf(addBanner({ seoId: missing }))).toBe('BANNER_SEO_NOT_FOUND')
  expect(await codeOf(addBanner({ brandId: missing }))).toBe('BRAND_NOT_FOUND')
  expect(await codeOf(addBanner({ advertiserId: missing }))).toBe('ADVERTISER_NOT_FOUND')

  const record = await createRow(deps, seo, { body: { name: 'Sale' }, actor: buying })
  const made = await addBanner({ seoId: record.publicId })
  await removeRow(deps, seo, targetOf(record, buying))

  const { items } = await listRows(deps, banner, { query: {}, scope: buying.principal })
  expect(items).toMatchObject([{ id: made.publicId, seoId: null }])
})

test('a banner is switched off and on, deleted once and restored once', async () => {
  const { deps, buying, addBanner } = await aCatalogue()
  const target = targetOf(await addBanner(), buying)

  const off = await switchBanner(deps, { ...target, isActive: false })
  const on = await switchBanner(deps, { ...target, isActive: true })
  await removeRow(deps, banner, target)

  expect([off.isActive, on.isActive]).toEqual([false, true])
  expect(await codeOf(removeRow(deps, banner, target))).toBe('BANNER_ALREADY_DELETED')
  expect(await codeOf(switchBanner(deps, { ...target, isActive: true }))).toBe('BANNER_NOT_FOUND')
  expect(await codeOf(restoreRow(deps, banner, target))).toBe('accepted')
  expect(await codeOf(restoreRow(deps, banner, target))).toBe('BANNER_NOT_DELETED')
})

test('banners are found by each of their filters', async () => {
  const { deps, buying, advertiser, addBanner } = await aCatalogue()
  const acme = (await createRow(deps, brand, { body: { name: 'Acme' }, actor: buying })).publicId
  await addBanner({ title: 'Plain' })
  await addBanner({
    title: 'Summer garden',
    isActive: false,
    format: 'native',
    tags: ['sale', 'garden'],
    brandId: acme,
    publishAt: '2030-01-01T00:00:00Z',
  })
  const gone = await addBanner({ title: 'Gone' })
  await removeRow(deps, banner, targetOf(gone, buying))
  const titles = async (query: Values) => {
    const { items } = await listRows(deps, banner, { query, scope: buying.principal })
    return items.map(({ title }) => title)
  }

  for (const query of [
    { isActive: false },
    { scheduleStatus: 'scheduled' },
    { format: 'native' },
    { tags: 'garden' },
    { brandId: acme },
    { search: 'gard sum' },
  ]) {
    expect(await titles(query)).toEqual(['Summer garden'])
  }
  const advertiserId = advertiser.publicId
  expect(await titles({ advertiserId, sort: 'title' })).toEqual(['Plain', 'Summer garden'])
  expect(await titles({ includeDeleted: true, sort: 'title' })).toEqual([
    'Gone',
    'Plain',
    'Summer garden',
  ])
})

test('an import adds new rows, renames known ones, and leaves the others alone', async () => {
  const { deps, buying } = await aCatalogue()
  const run = (...names: [string, string][]) =>
    importReferences(deps, {
      resource: brand,
      actor: buying,
      items: names.map(([externalId, name]) => ({ externalId, name })),
    })

  const first = await run(['a', 'Acme'], ['b', 'Bolt'])
  const second = await run(['a', 'Acme'], ['b', 'Bolts'], ['c', 'Crane'])
  const third = await run(['a', 'Acme'])

  expect(first).toEqual({ created: 2, updated: 0, unchanged: 0 })
  expect(second).toEqual({ created: 1, updated: 1, unchanged: 1 })
  expect(third).toEqual({ created: 0, updated: 0, unchanged: 1 })
  const { items } = await listRows(deps, brand, {
    query: { sort: 'name' },
    scope: buying.principal,
  })
  expect(items.map(({ name, version }) => [name, version])).toEqual([
    ['Acme', 1],
    ['Bolts', 2],
    ['Crane', 1],
  ])
  expect(deps.audited).toHaveLength(2)
  expect(deps.audited[1]).toMatchObject({
    action: 'brand.import',
    before: { rows: [{ externalId: 'b', name: 'Bolt' }] },
    after: {
      rows: [
        { externalId: 'b', name: 'Bolts' },
        { externalId: 'c', name: 'Crane' },
      ],
    },
  })
})

test('an import with a repeated external id is refused as a whole', async () => {
  const { deps, buying } = await aCatalogue()
  const item = { externalId: 'a', name: 'Acme' }

  const work = importReferences(deps, { resource: brand, actor: buying, items: [item, item] })

  await expect(work).rejects.toMatchObject({ faults: [{ path: 'body/items/1/externalId' }] })
})

test('an external id belongs to one reference', async () => {
  const { deps, buying } = await aCatalogue()
  const body = { name: 'Acme', externalId: 'a' }
  for (const resource of [brand, seo]) await createRow(deps, resource, { body, actor: buying })

  expect(await codeOf(createRow(deps, brand, { body, actor: buying }))).toBe(
    'BRAND_EXTERNAL_ID_EXISTS',
  )
  expect(await codeOf(createRow(deps, seo, { body, actor: buying }))).toBe('SEO_EXTERNAL_ID_EXISTS')
})

test('a banner of a template shows the template with its own values, as of its last change', async () => {
  const { deps, buying, addBanner } = await aCatalogue()
  const fields = [{ name: 'offer', label: 'Offer', kind: 'text', isRequired: true }]
  const body = { name: 'Plain', html: '<b>{{offer}}</b>', fields }
  const template = await createRow(deps, creativeTemplate, { body, actor: buying })
  const templateId = template.publicId
  const fill = (templateValues: object) =>
    addBanner({ format: 'html', templateId, templateValues, html: '<i>ignored</i>' })

  const made = await fill({ offer: 'Half < price' })
  expect(made['html']).toBe('<b>Half &#60; price</b>')

  const html = '<u>{{offer}}</u>'
  await patchRow(deps, creativeTemplate, { ...targetOf(template, buying), body: { html } })
  const kept = await patchRow(deps, banner, { ...targetOf(made, buying), body: {} })
  expect(kept['html']).toBe('<b>Half &#60; price</b>')
  const values = { templateValues: { offer: 'Now' } }
  const changed = await patchRow(deps, banner, { ...targetOf(made, buying), body: values })
  expect(changed['html']).toBe('<u>Now</u>')

  const faulty = { ...body, html: '<a onclick="{{offer}}">' }
  const unsafe = createRow(deps, creativeTemplate, { body: faulty, actor: buying })
  expect(await codeOf(unsafe)).toBe('INVALID_REQUEST')
  expect(await codeOf(fill({}))).toBe('INVALID_REQUEST')
  const plain = addBanner({ templateId, templateValues: { offer: 'Now' } })
  expect(await codeOf(plain)).toBe('INVALID_REQUEST')
  const removal = removeRow(deps, creativeTemplate, targetOf(template, buying))
  expect(await codeOf(removal)).toBe('CREATIVE_TEMPLATE_IN_USE')
})
