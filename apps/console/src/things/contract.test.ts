import * as accounts from '@placard/contract/accounts'
import * as campaigns from '@placard/contract/campaigns'
import * as channels from '@placard/contract/channels'
import * as creatives from '@placard/contract/creatives'
import * as inventory from '@placard/contract/inventory'
import * as notices from '@placard/contract/notices'
import * as webhooks from '@placard/contract/webhooks'
import { describe, expect, test, vi } from 'vitest'
import { accountThing } from '../features/accounts/account-thing.tsx'
import { recipientThing } from '../features/accounts/recipient-thing.tsx'
import { userThing } from '../features/accounts/user-thing.tsx'
import { advertiserThing } from '../features/advertisers/advertiser-thing.tsx'
import { connectionThing } from '../features/advertisers/connection-thing.tsx'
import { productThing } from '../features/advertisers/product-thing.tsx'
import { sellpageThing } from '../features/advertisers/sellpage-thing.tsx'
import { placementThing } from '../features/inventory/placement-thing.tsx'
import { publisherThing } from '../features/inventory/publisher-thing.tsx'
import { siteThing } from '../features/inventory/site-thing.tsx'
import { slotThing } from '../features/inventory/slot-thing.tsx'
import { keyThing } from '../features/operations/key-thing.tsx'
import { webhookThing } from '../features/operations/webhook-thing.tsx'
import type { Thing, ThingField } from './thing.ts'

// The descriptions name components, and those read the browser's session.
vi.hoisted(() => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('addEventListener', () => {})
})

interface Shape {
  readonly properties: Readonly<Record<string, object>>
  readonly required?: readonly string[]
}

interface Case {
  readonly thing: Pick<Thing, 'title' | 'fields' | 'sort'> & { readonly columns: readonly Named[] }
  readonly create: Shape
  readonly patch: Shape
  readonly query: Shape
  /** Fields of the contract that pages of their own edit. */
  readonly elsewhere?: readonly string[]
}

interface Named {
  readonly name: string
  readonly sortBy?: unknown
}

const NOTHING: Shape = { properties: {} }

const CASES: readonly Case[] = [
  {
    thing: accountThing,
    create: accounts.CreateAccount,
    patch: accounts.PatchAccount,
    query: accounts.AccountQuery,
  },
  {
    thing: advertiserThing,
    create: campaigns.CreateAdvertiser,
    patch: campaigns.PatchAdvertiser,
    query: campaigns.AdvertiserQuery,
  },
  {
    thing: sellpageThing,
    create: campaigns.CreateSellpage,
    patch: campaigns.PatchSellpage,
    query: campaigns.SellpageQuery,
  },
  {
    thing: productThing,
    create: creatives.CreateReference,
    patch: creatives.PatchReference,
    query: creatives.ReferenceQuery,
  },
  {
    thing: connectionThing,
    create: channels.CreateConnection,
    patch: channels.PatchConnection,
    query: channels.ConnectionQuery,
  },
  {
    thing: publisherThing,
    create: inventory.CreatePublisher,
    patch: inventory.PatchPublisher,
    query: inventory.PublisherQuery,
  },
  {
    thing: siteThing,
    create: inventory.CreateSite,
    patch: inventory.PatchSite,
    query: inventory.SiteQuery,
    elsewhere: ['crawlDepth', 'crawlPageLimit', 'pacing'],
  },
  // A form of its own makes it: it suggests the slug.
  {
    thing: placementThing,
    create: NOTHING,
    patch: inventory.PatchPlacement,
    query: inventory.PlacementQuery,
  },
  {
    thing: slotThing,
    create: inventory.CreateSlot,
    patch: inventory.PatchSlot,
    query: inventory.SlotQuery,
  },
  {
    thing: userThing,
    create: accounts.InviteUser,
    patch: accounts.PatchUser,
    query: accounts.UserQuery,
  },
  {
    thing: recipientThing,
    create: notices.CreateRecipient,
    patch: notices.PatchRecipient,
    query: notices.RecipientQuery,
  },
  {
    thing: webhookThing,
    create: webhooks.CreateWebhookEndpoint,
    patch: webhooks.PatchWebhookEndpoint,
    query: webhooks.WebhookEndpointQuery,
  },
  // A key is made and revoked, and never changed.
  {
    thing: keyThing,
    create: accounts.CreateApiKey,
    patch: NOTHING,
    query: accounts.ApiKeyQuery,
  },
]

const namesFor = (fields: readonly ThingField[], when: 'make' | 'change') =>
  fields.filter(({ only = when }) => only === when).map(({ name }) => name)

const choicesOf = (field: object): unknown[] => {
  const { enum: values, items } = field as { enum?: unknown[]; items?: { enum?: unknown[] } }
  return values ?? items?.enum ?? []
}

describe.each(CASES.map((one) => [one.thing.title, one] as const))('%s', (_title, one) => {
  const { thing, create, patch, query, elsewhere = [] } = one
  const inForm = (shape: Shape) =>
    Object.keys(shape.properties).filter((name) => !elsewhere.includes(name))

  test('the form has the fields that the contract takes, when it makes and when it changes', () => {
    expect(namesFor(thing.fields, 'make').toSorted()).toEqual(inForm(create).toSorted())
    expect(namesFor(thing.fields, 'change').toSorted()).toEqual(inForm(patch).toSorted())
  })

  test('a field is optional, or for ad operations, if the contract says so', () => {
    for (const { name, isOptional = false, isSellers = false, entry, only } of thing.fields) {
      const field = (only === 'change' ? patch : create).properties[name]
      const mayBeEmpty = only === 'change' ? isClearable(field) : !create.required?.includes(name)
      const wanted = HAS_A_VALUE.has(entry.as) ? isOptional : mayBeEmpty
      expect([name, isOptional]).toEqual([name, wanted])
      expect([name, 'x-written-by' in field]).toEqual([name, isSellers])
    }
  })

  test('a choice offers the values of the contract', () => {
    for (const { name, entry, only } of thing.fields) {
      if (!('options' in entry) || typeof entry.options === 'function') continue
      const shape = only === 'change' ? patch : create
      const offered = new Set<unknown>(entry.options.map(({ value }) => value))
      expect([name, offered]).toEqual([name, new Set(choicesOf(shape.properties[name]))])
    }
  })

  test('the list is searched by the server, and sorted by it in the orders of the contract', () => {
    const orders = choicesOf(query.properties['sort'])
    const sorted = thing.columns.filter(({ sortBy }) => sortBy).map(({ name }) => name)

    expect(Object.keys(query.properties)).toContain('search')
    expect([thing.sort, ...sorted].filter((order) => !orders.includes(order))).toEqual([])
  })
})

/** A list can be empty, and a nullable field cleared. */
const isClearable = (field: object): boolean => {
  const { anyOf = [], type } = field as { anyOf?: { type?: string }[]; type?: string }
  return type === 'array' || anyOf.some((one) => one.type === 'null')
}

/** Entries that always have a value: they need not be empty. */
const HAS_A_VALUE = new Set(['switch', 'zone', 'currency', 'choice'])
