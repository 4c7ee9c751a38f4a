import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider, type Adapter, type AdapterPayload, type Configuration } from 'oidc-provider'

/** Somebody with an account at the provider. */
export interface Someone {
  readonly email?: string | undefined
  readonly emailVerified?: boolean | string | undefined
  readonly name?: string
  readonly groups?: readonly string[]
  readonly amr?: readonly string[]
  readonly acr?: string
}

export interface IdentityProviderOptions {
  readonly redirectUris: readonly string[]
  /** Registers what ends it. */
  readonly atEnd: (tidyUp: () => Promise<void>) => void
  /** Whether the ID token carries all claims; otherwise the user info endpoint tells them. */
  readonly hasFullTokens?: boolean
}

export interface TestIdentityProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** By the provider's own id of the person. Tests change them. */
  readonly people: Map<string, Someone>
  /** Signs the person in as a browser would; returns the query that the browser comes back with. */
  signIn(address: string, subject: string): Promise<string>
}

const CLIENT_ID = 'placard'

/** A real OpenID provider. Its sign-in page lists its people; who is chosen is signed in. */
export async function startIdentityProvider(
  options: IdentityProviderOptions,
): Promise<TestIdentityProvider> {
  const people = new Map<string, Someone>()
  const clientSecret = randomBytes(24).toString('base64url')
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, configurationOf({ ...options, people, clientSecret }))
  const standard = provider.callback()
  server.on('request', (request, response) => {
    const page = /^\/interaction\/[\w-]+(?:\/as\/([\w-]+))?$/.exec(request.url ?? '')
    if (!page) return void standard(request, response)
    return void showInteraction({ provider, people, request, response, subject: page[1] })
  })
  options.atEnd(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return { issuer, clientId: CLIENT_ID, clientSecret, people, signIn: signInWith(issuer) }
}

interface Parts extends IdentityProviderOptions {
  readonly people: ReadonlyMap<string, Someone>
  readonly clientSecret: string
}

function configurationOf(parts: Parts): Configuration {
  const { people, clientSecret, redirectUris, hasFullTokens = false } = parts
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: clientSecret,
        redirect_uris: [...redirectUris],
        post_logout_redirect_uris: redirectUris.map((uri) =>
          uri.replace(/\/sign-in\/.*/, '/sign-in'),
        ),
        id_token_signed_response_alg: 'ES256',
      },
    ],
    adapter: rowsInMemory(),
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    cookies: { keys: [randomBytes(24).toString('hex')] },
    claims: {
      openid: ['sub', 'amr', 'acr'],
      email: ['email', 'email_verified'],
      profile: ['name'],
      groups: ['groups'],
    },
    acrValues: ['silver', 'gold'],
    conformIdTokenClaims: !hasFullTokens,
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource(ctx, form) {
          const button = '<button form="op.logoutForm" name="logout" value="yes">Sign out</button>'
          ctx.body = `<!doctype html><title>Company</title><h1>Sign out?</h1>${form}${button}`
        },
      },
    },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, subject) => ({
      accountId: subject,
      claims: () => claimsOf(subject, people.get(subject) ?? {}),
    }),
    /** Everybody agrees to share what is asked for. */
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client!.clientId,
        accountId: oidc.session!.accountId!,
      })
      grant.addOIDCScope('openid email profile groups')
      await grant.save()
      return grant
    },
  }
}

/** The library's own warns at each start. */
function rowsInMemory(): (model: string) => Adapter {
  const rows = new Map<string, AdapterPayload>()
  return (model) => {
    const find = async (id: string) => rows.get(`${model} ${id}`)
    return {
      find,
      findByUserCode: find,
      findByUid: async (uid) => [...rows.values()].find((row) => row.uid === uid),
      upsert: async (id, payload) => void rows.set(`${model} ${id}`, payload),
      destroy: async (id) => void rows.delete(`${model} ${id}`),
      consume: async (id) => void Object.assign((await find(id))!, { consumed: 1 }),
      async revokeByGrantId(grantId) {
        for (const [key, row] of rows) if (row.grantId === grantId) rows.delete(key)
      },
    }
  }
}

const claimsOf = (sub: string, { email, emailVerified, name, groups }: Someone) => ({
  sub,
  email,
  email_verified: emailVerified as boolean,
  name,
  groups,
})

interface Interaction {
  readonly provider: Provider
  readonly people: ReadonlyMap<string, Someone>
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly subject: string | undefined
}

async function showInteraction(interaction: Interaction): Promise<void> {
  const { provider, people, request, response, subject } = interaction
  if (subject === undefined) {
    const choices = [...people].map(
      ([id, { name = id }]) => `<p><a href="${request.url}/as/${id}">${name}</a></p>`,
    )
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><title>Company</title><h1>Who are you?</h1>${choices.join('')}`)
    return
  }
  if (subject === 'nobody') {
    const declined = { error: 'access_denied', error_description: 'the person said no' }
    await provider.interactionFinished(request, response, declined)
    return
  }
  const { amr, acr } = people.get(subject) ?? {}
  const login = { accountId: subject, ...(amr && { amr: [...amr] }), ...(acr && { acr }) }
  await provider.interactionFinished(request, response, { login })
}

/** A browser without pictures: follows redirects and keeps cookies until it leaves the provider. */
const signInWith = (issuer: string) => async (address: string, subject: string) => {
  const cookies = new Map<string, string>()
  let at = new URL(address)
  for (let hop = 0; hop < 10; hop++) {
    if (at.origin !== issuer) return at.search.slice(1)
    if (at.pathname.startsWith('/interaction/')) at.pathname += `/as/${subject}`
    const answer = await fetch(at, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
    for (const line of answer.headers.getSetCookie()) {
      const [name, value] = line.split(';')[0]!.split('=')
      cookies.set(name!, value!)
    }
    const location = answer.headers.get('location')
    if (location === null)
      throw new Error(`${at.href} answered ${answer.status}: ${await answer.text()}`)
    at = new URL(location, at)
  }
  throw new Error('the provider sends the browser round in circles')
}
