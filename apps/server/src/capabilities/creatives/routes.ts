import * as contract from '@placard/contract/creatives'
import { runCommand } from '../../platform/http/command.ts'
import type { Http } from '../../platform/http/server.ts'
import {
  actionRoute,
  actorOf,
  changeRow,
  patchRow,
  resourceRoutes,
  targetOf,
  type ResourceDeps,
  type Values,
} from '../../platform/resources/index.ts'
import {
  decideApproval,
  importReferences,
  readCalendar,
  submitForApproval,
  switchBanner,
} from './operations.ts'
import { banner, creativeApproval, creativeTemplate, REFERENCES } from './resources.ts'
import { assetRoutes, type AssetRouteDeps } from './assets/routes-assets.ts'

export function creativeRoutes(http: Http, deps: AssetRouteDeps): void {
  bannerRoutes(http, deps)
  calendarRoute(http, deps)
  approvalRoutes(http, deps)
  resourceRoutes(http, deps, { resource: creativeTemplate })
  for (const resource of REFERENCES) referenceRoutes(http, deps, resource)
  assetRoutes(http, deps)
}

function bannerRoutes(http: Http, deps: ResourceDeps): void {
  resourceRoutes(http, deps, { resource: banner })
  actionRoute(http, deps, {
    resource: banner,
    method: 'PATCH',
    action: 'schedule',
    summary: 'Set when a banner shows',
    body: contract.ScheduleBanner,
    change: (deps, request) =>
      patchRow(deps, banner, { ...targetOf(request, banner), body: request.body as Values }),
  })
  for (const action of ['activate', 'deactivate'] as const) {
    actionRoute(http, deps, {
      resource: banner,
      method: 'PATCH',
      action,
      summary: action === 'activate' ? 'Switch a banner on' : 'Switch a banner off',
      change: (deps, request) =>
        switchBanner(deps, { ...targetOf(request, banner), isActive: action === 'activate' }),
    })
  }
}

const DECISIONS = [
  ['approve', 'Approve a banner for a site'],
  ['revoke', 'Revoke a decision'],
  ['flag', 'Suspend an approved banner on a site'],
  ['unflag', 'Approve a flagged banner again'],
] as const

function calendarRoute(http: Http, deps: ResourceDeps): void {
  http.get(
    '/banners/:bannerId/calendar',
    {
      config: { access: 'banners:read' },
      schema: {
        operationId: 'readBannerCalendar',
        summary: 'On which days a banner shows, and on how much of each',
        tags: ['banners'],
        params: contract.BannerParams,
        querystring: contract.CalendarQuery,
        response: { 200: contract.BannerCalendar },
      },
    },
    (request) =>
      readCalendar(deps, {
        publicId: request.params.bannerId,
        actor: actorOf(request),
        from: request.query.from,
        days: request.query.days ?? CALENDAR_DAYS,
      }),
  )
}

const CALENDAR_DAYS = 42

function approvalRoutes(http: Http, deps: ResourceDeps): void {
  resourceRoutes(http, deps, { resource: creativeApproval, actions: ['list', 'get'] })
  submitRoute(http, deps)
  for (const [action, summary] of DECISIONS) {
    actionRoute(http, deps, {
      resource: creativeApproval,
      method: 'POST',
      action,
      summary,
      change: (deps, request) =>
        decideApproval(deps, { ...targetOf(request, creativeApproval), action }),
    })
  }
  actionRoute(http, deps, {
    resource: creativeApproval,
    method: 'POST',
    action: 'reject',
    summary: 'Reject a banner for a site',
    body: contract.RejectApproval,
    change: (deps, request) =>
      decideApproval(deps, {
        ...targetOf(request, creativeApproval),
        action: 'reject',
        reason: (request.body as { reason: string }).reason,
      }),
  })
}

/** The banner's owner asks, so it needs the permission to change banners. */
function submitRoute(http: Http, deps: ResourceDeps): void {
  http.post(
    '/creative-approvals',
    {
      config: { access: 'banners:write' },
      schema: {
        operationId: 'submitCreativeApproval',
        summary: 'Ask a site to approve a banner',
        tags: [creativeApproval.tag],
        body: contract.SubmitApproval,
        response: { 201: contract.Approval },
      },
    },
    (request, reply) =>
      changeRow(deps, creativeApproval, {
        request,
        reply,
        status: 201,
        change: (deps, actor) => submitForApproval(deps, { body: request.body, actor }),
      }),
  )
}

const IMPORT_BYTES_MAX = 4_194_304

function referenceRoutes(
  http: Http,
  deps: ResourceDeps,
  resource: (typeof REFERENCES)[number],
): void {
  resourceRoutes(http, deps, { resource })
  const path = resource.plural.replaceAll(' ', '-')
  http.post(
    `/${path}/import`,
    {
      config: { access: 'references:write' },
      bodyLimit: IMPORT_BYTES_MAX,
      schema: {
        operationId: `import${path.replaceAll(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase())}`,
        summary: `Add or rename many ${resource.plural} by their external id`,
        tags: [resource.tag],
        body: contract.ImportReferences,
        response: { 200: contract.ReferencesImported },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const { items } = request.body
        const actor = actorOf(request)
        const body = await importReferences({ ...deps, db }, { resource, items, actor })
        return { status: 200, body }
      }),
  )
}
