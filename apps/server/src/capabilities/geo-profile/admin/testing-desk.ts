import { addUser, signInAs, startServer } from '../../../testing/server.ts'

const BASE = '/api/v1/internal'

/** A user of trust and safety, signed in at the test's own server. */
export async function trustDesk(settings: Record<string, string> = {}) {
  const server = await startServer({ JWT_ACCESS_TOKEN_EXPIRY_MINUTES: '600', ...settings })
  const { email, publicId } = await addUser(server.deps, 'trust')
  const { headers } = await signInAs(server, email)
  const get = async (path: string) =>
    (await server.http.inject({ url: `${BASE}/${path}`, headers })).json()
  const post = (path: string, payload?: object) =>
    server.http.inject({
      method: 'POST',
      url: `${BASE}/${path}`,
      headers,
      ...(payload && { payload }),
    })
  return { ...server, get, post, headers, trustId: publicId, trustEmail: email }
}
