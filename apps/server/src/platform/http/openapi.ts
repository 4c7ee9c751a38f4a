import swagger from '@fastify/swagger'
import { ProblemDocument } from '@placard/contract/shared'
import type { FastifyInstance } from 'fastify'

const ABOUT = `Campaigns, banners and placements; decisions, tracking and budgets; reports.

**PATCH** (RFC 7396) changes the fields that the body names. Of an object inside it changes the parts that are named,
and null takes a part away; a list is replaced. Fields with \`x-patched: whole\` are given whole: less is refused.`

const PROBLEM_ANSWER = {
  description: 'A problem; docs/reference/problems.md explains each code',
  content: { 'application/problem+json': { schema: { $ref: 'Problem#' } } },
}

/** The API describes itself: `/openapi.json` for programs, `/docs` for people. */
export async function describeApi(http: FastifyInstance): Promise<void> {
  http.addHook('onRoute', (route) => {
    if (!route.schema || route.schema.hide) return
    route.schema.response = {
      ...(route.schema.response as object),
      '4xx': PROBLEM_ANSWER,
      '5xx': PROBLEM_ANSWER,
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
  http.addSchema({ $id: 'Problem', ...ProblemDocument })
  await http.register(swagger, {
    refResolver: { buildLocalReference: ({ $id }) => $id as string },
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Placard',
        version: '1',
        description: ABOUT,
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
