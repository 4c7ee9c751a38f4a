import type { LightMyRequestResponse } from 'fastify'
import type {
  IdentityProviderOptions,
  Someone,
  TestIdentityProvider,
} from '../../../testing/services/identity-provider.ts'
import { startIdentityProvider } from '../../../testing/services/identity-provider.ts'
import { addUser, signInAs, startServer } from '../../../testing/server.ts'

export const PUBLIC_URL = 'http://127.0.0.1:8080'

export const startCompany = (
  options: Pick<IdentityProviderOptions, 'atEnd'> & Partial<IdentityProviderOptions>,
) => startIdentityProvider({ redirectUris: [`${PUBLIC_URL}/sign-in/company`], ...options })

/** Placard with an operator who has entered the company's identity provider. */
export async function startConnected(
  company: TestIdentityProvider,
  fields: Readonly<Record<string, unknown>> = {},
  settings: Readonly<Record<string, string>> = {},
) {
  const server = await startServer({ PUBLIC_URL, OIDC_ALLOWED_HOSTS: '127.0.0.1', ...settings })
  const { email, account } = await addUser(server.deps, 'operator')
  const { headers } = await signInAs(server, email)
  const call = async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    payload?: object,
  ) => {
    const url = `/api/v1/admin${path}`
    const answer = await server.http.inject({ method, url, headers, ...(payload && { payload }) })
    return { status: answer.statusCode, body: answer.body === '' ? {} : answer.json() }
  }
  const provider = {
    slug: 'company',
    name: 'Company sign-in',
    issuer: company.issuer,
    clientId: company.clientId,
    clientSecret: company.clientSecret,
    emailDomains: ['company.example'],
    scopes: ['groups'],
    rules: [
      { group: 'ad-operations', accountId: account.publicId, role: 'ad-ops' },
      { group: 'guards', accountId: account.publicId, role: 'trust' },
    ],
    ...fields,
  }
  const made = await call('POST', '/identity-providers', provider)
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))

  const post = (url: string, payload?: object, by: Record<string, string> = {}) =>
    server.http.inject({
      method: 'POST',
      url: `/api/v1${url}`,
      headers: by,
      ...(payload && { payload }),
    })
  const begin = async () =>
    (await post('/auth/identity-providers/company/begin')).json<{ address: string; flow: string }>()
  const finish = (payload: object) => post('/auth/identity-providers/company/finish', payload)
  /** A whole sign-in of somebody of the company. */
  const comeAs = async (subject: string) => {
    const { address, flow } = await begin()
    return finish({ flow, answer: await company.signIn(address, subject) })
  }
  const meOf = async ({ accessToken }: { accessToken: string }) =>
    (
      await server.http.inject({
        url: '/api/v1/me',
        headers: { authorization: `Bearer ${accessToken}` },
      })
    ).json()
  const providerId = String(made.body.id)
  const change = (payload: object) => call('PATCH', `/identity-providers/${providerId}`, payload)
  return { ...server, account, call, post, change, begin, finish, comeAs, meOf }
}

export const ADA: Someone = {
  email: 'Ada@Company.example',
  emailVerified: true,
  name: 'Ada Winter',
  groups: ['everybody', 'ad-operations'],
}

/** `in`, or why not. */
export async function outcomeOf(
  answer: PromiseLike<Pick<LightMyRequestResponse, 'statusCode' | 'json'>>,
): Promise<string> {
  const response = await answer
  return response.statusCode === 200
    ? 'in'
    : `${response.statusCode} ${response.json<{ code: string }>().code}`
}
