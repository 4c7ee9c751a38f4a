import {
  ad,
  adSet,
  campaign,
  moveCampaign,
} from '../../../server/src/capabilities/campaigns/index.ts'
import { createConnection } from '../../../server/src/capabilities/channels/index.ts'
import { createRow } from '../../../server/src/platform/resources/index.ts'
import type { Desk } from './seed-campaigns.ts'
import type { Connections, DemoDeps } from './world.ts'

/** The ad account that provides the figures of an advertiser's onsite campaigns. */
export async function addConnections(deps: DemoDeps, desk: Desk): Promise<Partial<Connections>> {
  return { northwind: await connect(deps, desk, { name: 'Placard', provider: 'onsite' }) }
}

/** Also advertises on another platform, with mock figures: one list shows both channels. */
export async function addElsewhere(deps: DemoDeps, desk: Desk): Promise<void> {
  const account = { name: 'Social (made up)', provider: 'mock', externalId: 'act_2041' }
  await addCampaign(deps, desk, await connect(deps, desk, account))
}

async function connect(deps: DemoDeps, { actor, buyers }: Desk, fields: object): Promise<string> {
  const advertiserId = buyers.advertisers.northwind
  const body = { advertiserId, connectionType: 'AD_ACCOUNT', ...fields }
  return String((await createConnection(deps, { body, actor })).publicId)
}

async function addCampaign(deps: DemoDeps, desk: Desk, connectionId: string): Promise<void> {
  const { actor, buyers, banners } = desk
  const made = await createRow(deps, campaign, {
    body: {
      advertiserId: buyers.advertisers.northwind,
      sellpageId: buyers.sellpages.northwind,
      name: 'New shoes, social',
      channel: 'meta',
      connectionId,
      externalId: 'c_77001',
      budgetDailyMicros: '80000000',
      maxBidMicros: '1000000',
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
