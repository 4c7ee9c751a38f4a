import * as contract from '@placard/contract/campaigns'
import { runCommand } from '../../platform/http/command.ts'
import type { Http } from '../../platform/http/server.ts'
import { actionRoute, actorOf, targetOf } from '../../platform/resources/index.ts'
import { ACTIONS, type CampaignAction } from './campaign.ts'
import { moveCampaign, type CampaignDeps } from './operations-campaigns.ts'
import { importCampaigns } from './import/operations.ts'
import { campaign } from './resources.ts'

const SUMMARIES: Readonly<Record<CampaignAction, string>> = {
  schedule: 'Start a campaign automatically at its startsAt',
  unschedule: 'Turn a scheduled campaign back into a draft',
  activate: 'Start a campaign or resume a paused one',
  pause: 'Pause a campaign',
  end: 'End a campaign for good',
  cancel: 'Cancel a campaign for good',
}

export function lifeCycleRoutes(http: Http, deps: CampaignDeps): void {
  for (const action of Object.keys(ACTIONS) as CampaignAction[]) {
    actionRoute(http, deps, {
      resource: campaign,
      method: 'POST',
      action,
      summary: SUMMARIES[action],
      change: ({ db }, request) =>
        moveCampaign({ ...deps, db }, { ...targetOf(request, campaign), action }),
    })
  }
}

export function importRoute(http: Http, deps: CampaignDeps): void {
  http.post(
    '/campaigns/import',
    {
      config: { access: 'campaigns:write' },
      schema: {
        operationId: 'importCampaigns',
        summary: 'Import draft campaigns: all of them, or none with every fault and its row',
        tags: ['campaigns'],
        body: contract.ImportCampaigns,
        response: { 201: contract.ImportedCampaigns },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => ({
        status: 201,
        body: {
          ids: await importCampaigns(
            { ...deps, db },
            { bodies: request.body.campaigns, actor: actorOf(request) },
          ),
        },
      })),
  )
}
