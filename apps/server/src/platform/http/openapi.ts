import swagger from '@fastify/swagger'
import reference from '@fastify/swagger-ui'
import { ProblemDocument } from '@placard/contract/shared'
import type { FastifyInstance } from 'fastify'
import { REFERENCE_PREFIX } from './access.ts'

/** The API describes itself: `/openapi.json` for programs, `/docs` for people. */
export async function describeApi(http: FastifyInstance): Promise<void> {
  http.addHook('onRoute', (route) => {
    if (!route.schema || route.schema.hide) return
    route.schema.response = {
      ...(route.schema.response as object),
      '4xx': ProblemDocument,
      '5xx': ProblemDocument,
    }
    const { access, ignoresUnknownFields } = route.config ?? {}
    Object.assign(route.schema, {
      'x-access': access,
      ...(ignoresUnknownFields && { 'x-ignores-unknown-fields': true }),
    })
    if (access && access !== 'public') {
      route.schema.security = [{ accessToken: [] }, { apiKey: [] }]
      route.schema.description = describeAccess(route.schema.description, access)
    }
  })
  await http.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Placard',
        version: '1',
        description: 'Campaigns, banners and placements; decisions, tracking and budgets; reports.',
      },
      components: {
        securitySchemes: {
          accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
        },
      },
    },
  })
  http.get(
    '/openapi.json',
    { schema: { hide: true }, config: { access: 'public', crossOrigin: true } },
    () => http.swagger(),
  )
}

function describeAccess(description: string | undefined, access: string): string {
  const needs = access === 'signed-in' ? 'Any signed-in caller.' : `Needs \`${access}\`.`
  return description ? `${description}\n\n${needs}` : needs
}

/** The readable form, with a content policy of its own. */
export async function serveReference(http: FastifyInstance): Promise<void> {
  await http.register(reference, {
    routePrefix: REFERENCE_PREFIX,
    staticCSP: true,
    uiConfig: { docExpansion: 'none', filter: true, tryItOutEnabled: true },
  })
}
