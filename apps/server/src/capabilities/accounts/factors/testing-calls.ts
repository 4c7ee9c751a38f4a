import { addAuthenticator } from '../../../testing/factors.ts'
import { addUser, PASSWORD, type TestServer } from '../../../testing/server.ts'

type Headers = Record<string, string>
type Server = Pick<TestServer, 'http'>

interface Request {
  readonly headers?: Headers
  readonly payload?: object
}

/** `call(server, 'POST /me/recovery-codes', { headers })`. */
export function call({ http }: Server, what: string, request: Request = {}) {
  const [method, path] = what.split(' ')
  const { headers = {}, payload } = request
  const url = `/api/v1${path}`
  return http.inject({ method: method as 'GET', url, headers, ...(payload && { payload }) })
}

export const signIn = (server: Server, email: string, password = PASSWORD) =>
  call(server, 'POST /auth/sign-in', { payload: { email, password } })

export const bearer = (accessToken: string): Headers => ({ authorization: `Bearer ${accessToken}` })

type Role = Parameters<typeof addUser>[1]

/** A user who has signed in with a password. */
export async function signedIn(
  server: Pick<TestServer, 'http' | 'deps'>,
  role: Role = 'advertiser',
) {
  const user = await addUser(server.deps, role)
  return { ...user, headers: bearer((await signIn(server, user.email)).json().accessToken) }
}

/** A user with an authenticator, signed in. */
export async function withAuthenticator(server: Pick<TestServer, 'http' | 'deps'>, role?: Role) {
  const user = await signedIn(server, role)
  return { ...user, ...(await addAuthenticator(server, user.headers)) }
}

/** The password is right: the token of the sign-in that waits for the factor. */
export const halfWay = async (server: Server, email: string): Promise<string> =>
  (await signIn(server, email)).json().signInToken

export const sendCode = (server: Server, signInToken: string, code: string) =>
  call(server, 'POST /auth/sign-in/code', { payload: { signInToken, code } })
