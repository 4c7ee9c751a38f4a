import type { AtEnd } from '../../testing/services/database.ts'
import { freshDatabase } from '../../testing/services/database.ts'
import { addUser, signInAs, startServerOn } from '../../testing/server.ts'

const API = '/api/v1/admin'

type Body = Record<string, unknown> & { readonly id: string; readonly items: readonly Body[] }
type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** A buyer, ad operations and a publisher with a proven site, each calling the API. */
export async function bookingDesk(atEnd: AtEnd) {
  const connection = await freshDatabase(undefined, atEnd)
  const server = await startServerOn(connection, { atEnd })
  const { http, deps } = server
  const personOf = async (role: 'advertiser' | 'ad-ops' | 'publisher' | 'operator') => {
    const user = await addUser(deps, role)
    const { headers } = await signInAs(server, user.email)
    const sendWith =
      (more: Readonly<Record<string, string>>) =>
      async (method: Method, url: string, payload?: object) => {
        const answer = await http.inject({
          method,
          url: `${API}${url}`,
          headers: { ...headers, ...more },
          ...(payload && { payload }),
        })
        return { http: answer.statusCode, ...(answer.body ? answer.json<Body>() : ({} as Body)) }
      }
    return { ...user, send: sendWith({}), sendWith }
  }
  const buyer = await personOf('advertiser')
  const seller = await personOf('ad-ops')
  const publisher = await personOf('publisher')
  const own = (person: typeof buyer) => ({ accountId: person.account.publicId, currency: 'EUR' })
  const northwind = { ...own(buyer), name: 'Northwind' }
  const { id: advertiserId } = await buyer.send('POST', '/advertisers', northwind)
  const gazette = { ...own(publisher), name: 'Gazette' }
  const { id: publisherId } = await publisher.send('POST', '/publishers', gazette)
  const page = { publisherId, name: 'Gazette', domain: 'gazette.example', approvalRequired: false }
  const { id: siteId } = await publisher.send('POST', '/sites', page)
  const operator = await personOf('operator')
  await operator.send('POST', `/sites/${siteId}/domain/confirm`, { reason: 'A test' })

  const addPlacement = async (slug: string, fields: object = {}) => {
    const place = { publisherId, slug, label: slug, layoutType: 'full_static', mode: 'auction' }
    const { id } = await publisher.send('POST', '/placements', { ...place, ...fields })
    const slot = { siteId, placementId: id, name: slug, width: 970, height: 250 }
    await publisher.send('POST', '/slots', slot)
    return id
  }
  const addBanner = async (title: string, fields: object = {}) => {
    const picture = { title, primaryImageUrl: 'https://cdn.example/a.png', advertiserId }
    const landing = { ctaUrl: 'https://shop.example/', width: 970, height: 250 }
    const { id } = await buyer.send('POST', '/banners', { ...picture, ...landing, ...fields })
    return id
  }
  const ids = { advertiserId, publisherId, siteId }
  return { ...server, ...ids, buyer, seller, publisher, personOf, addPlacement, addBanner }
}

export type Desk = Awaited<ReturnType<typeof bookingDesk>>
