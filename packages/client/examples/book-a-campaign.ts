import { createClient, PlacardProblem, signedIn } from '@placard/client'

/** `node book-a-campaign.ts https://ads.example adops@ads.example "the password"` */
const [, , url = '', email = '', password = ''] = process.argv

const accessToken = signedIn({ client: createClient({ url }), email, password, now: Date.now })
const placard = createClient({ url, accessToken })

// The first row of a list that may have thousands.
const advertisers = await placard.call('listAdvertisers', { query: { limit: 1 } })
const advertiserId = advertisers.items[0]!.id

// If the connection breaks, the client sends it again, and it is booked once.
const campaign = await placard.call('createCampaign', {
  body: { advertiserId, name: 'Autumn sale', budgetDailyMicros: '25000000' },
})
console.log(`${campaign.name} is a ${campaign.status} with a budget in ${campaign.currency}`)

// All campaigns, page after page.
let count = 0
for await (const { name } of placard.each('listCampaigns', { query: { limit: 2 } })) {
  if (name === 'Autumn sale') count++
}
console.log(`found ${count} of that name`)

// If somebody else has changed it meanwhile, their change is not lost.
const { id, version } = campaign
const params = { campaignId: id }
await placard.call('changeCampaign', { params, version, body: { name: 'Winter sale' } })
try {
  await placard.call('changeCampaign', { params, version, body: { name: 'Spring sale' } })
} catch (error) {
  if (error instanceof PlacardProblem) console.log(error.code)
}
