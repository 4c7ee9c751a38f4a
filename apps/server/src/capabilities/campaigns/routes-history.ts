import { History, HistoryQuery } from '@placard/contract/campaigns'
import { CampaignParams } from '@placard/contract/targeting'
import type { Http } from '../../platform/http/server.ts'
import {
  actorOf,
  cutPage,
  getRow,
  pageFrom,
  type ResourceDeps,
} from '../../platform/resources/index.ts'
import { type ChangeRecord, listHistory } from './reads-history.ts'
import { campaign } from './resources.ts'

export function historyRoute(http: Http, { db }: ResourceDeps): void {
  http.get(
    '/campaigns/:campaignId/history',
    {
      config: { access: 'campaigns:read' },
      schema: {
        operationId: 'readCampaignHistory',
        summary:
          'Changes of a campaign, its ads, targeting, caps and placements, with the person and time',
        tags: ['campaigns'],
        params: CampaignParams,
        querystring: HistoryQuery,
        response: { 200: History },
      },
    },
    async (request) => {
      const { campaignId: publicId } = request.params
      const { accountId } = await getRow(db, campaign, { publicId, actor: actorOf(request) })
      const page = pageFrom(request.query)
      const found = await listHistory(db, {
        campaign: { publicId, accountId: accountId as bigint },
        limit: page.limit + 1,
        after: page.cursor?.publicId,
      })
      const { rows, nextCursor } = cutPage(found, page)
      return { items: rows.map(present), ...(nextCursor && { nextCursor }) }
    },
  )
}

const present = ({ publicId, occurredAt, ...record }: ChangeRecord) => ({
  ...record,
  id: publicId,
  occurredAt: occurredAt.toISOString(),
})
