import { sql } from 'drizzle-orm'
import { ad, adSet, campaign, moveCampaign } from '../capabilities/campaigns/index.ts'
import { createConnection } from '../capabilities/channels/index.ts'
import { createRow, patchRow } from '../platform/resources/index.ts'
import type { Desk } from './seed-campaigns.ts'
import type { DemoDeps } from './world.ts'

/** One advertiser sells elsewhere too: one list shows what runs here beside what a platform tells (made up). */
export async function addChannels(deps: DemoDeps, desk: Desk): Promise<void> {
  const here = await connect(deps, desk, { name: 'Placard', provider: 'onsite' })
  const elsewhere = await connect(deps, desk, {
    name: 'Social (made up)',
    provider: 'mock',
    externalId: 'act_2041',
  })
  await joinRunning(deps, desk, here)
  await addElsewhere(deps, desk, elsewhere)
}

async function connect(deps: DemoDeps, { actor, buyers }: Desk, its: object): Promise<string> {
  const advertiserId = buyers.advertisers.northwind
  const body = { advertiserId, connectionType: 'AD_ACCOUNT', ...its }
  return String((await createConnection(deps, { body, actor })).publicId)
}

/** What runs here tells its figures through the first. */
async function joinRunning(deps: DemoDeps, { actor, buyers }: Desk, connectionId: string) {
  const { rows } = await deps.db.execute(sql`
    select c.public_id as id from campaigns c join advertisers a on a.id = c.advertiser_id
     where a.public_id = ${buyers.advertisers.northwind} and c.status = 'active' order by c.id`)
  for (const { id } of rows) {
    await patchRow(deps, campaign, { publicId: id as string, actor, body: { connectionId } })
  }
}

async function addElsewhere(deps: DemoDeps, desk: Desk, connectionId: string): Promise<void> {
  const { actor, buyers, banners } = desk
  const made = await createRow(deps, campaign, {
    body: {
      advertiserId: buyers.advertisers.northwind,
      sellpageId: buyers.sellpages.northwind,
      name: 'Autumn trails, social',
      channel: 'meta',
      connectionId,
      externalId: 'c_77001',
      budgetDailyMicros: '80000000',
    },
    actor,
  })
  const publicId = String(made.publicId)
  for (const [name, banner] of Object.entries(AD_SETS)) {
    const set = await createRow(deps, adSet, { body: { campaignId: publicId, name }, actor })
    await createRow(deps, ad, {
      body: { adSetId: set.publicId, bannerId: banners[banner], name, bidMicros: '1000000' },
      actor,
    })
  }
  await moveCampaign(deps, { publicId, actor, action: 'activate' })
}

const AD_SETS = { Hikers: 'northwind.box', 'On the go': 'northwind.story' } as const
