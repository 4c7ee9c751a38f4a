import { stat } from 'node:fs/promises'
import path from 'node:path'
import { type Person, signIn, type World } from './world.ts'

const DIST = path.join(import.meta.dirname, '../dist')

/** The compressed size of the named scripts, as every browser loads them. */
export async function squeezedBytes(urls: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    urls.map(async (url) => (await stat(path.join(DIST, `${new URL(url).pathname}.gz`))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

const IMPORT_MAX = 1_000

/**
 * Creates this many drafts of the second advertiser, from `Campaign 0001` on, so that all names
 * have the same length.
 */
export async function addCampaigns({ address }: World, count: number): Promise<void> {
  const call = await callerFor(address, 'advertiser2')
  const { items } = (await call('GET', '/admin/advertisers')) as { items: { id: string }[] }
  const campaigns = Array.from({ length: count }, (_, place) => ({
    advertiserId: items[0]!.id,
    name: `Campaign ${String(place + 1).padStart(String(count).length, '0')}`,
  }))
  for (let from = 0; from < count; from += IMPORT_MAX) {
    const part = campaigns.slice(from, from + IMPORT_MAX)
    await call('POST', '/admin/campaigns/import', { campaigns: part })
  }
}

/** Syncs the other channels' figures of that advertiser for today. */
export async function syncChannels({ address }: World, person: Person): Promise<void> {
  await (
    await callerFor(address, person)
  )('POST', '/ads-manager/sync', {})
}

/** Done as a user of trust and safety. */
export async function blockSession({ address }: World, id: string): Promise<void> {
  const call = await callerFor(address, 'trust')
  await call('POST', `/admin/sessions/${id}/block`, { reasonCode: 'suspicious' })
}

/** Direct API calls as that user. */
export async function callerFor(address: string, person: Person) {
  const { accessToken } = JSON.parse(await signIn(address, person)) as { accessToken: string }
  return async (method: string, to: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${address}/api/v1${to}`, {
      method,
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${to}: ${await answer.text()}`)
    return answer.json()
  }
}

/** Signs the person in, and tells who that is. */
export async function userIdOf(address: string, person: Person): Promise<string> {
  const call = await callerFor(address, person)
  const { id } = (await call('GET', '/me')) as { id: string }
  return id
}
