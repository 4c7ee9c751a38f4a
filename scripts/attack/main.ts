import { parseArgs } from 'node:util'
import { codeOf } from '../../apps/server/src/testing/factors.ts'
import { attack } from './attacks.ts'
import { type Follow, prepareTarget, type Send, signIn } from './target.ts'

/**
 * `npm run attack -- --url http://127.0.0.1:8080`: attacks a running server with its own throw-away users
 * and rows. The operator's address, password and authenticator key come from the environment. Default: the
 * demo's operator. `--verbose` tells of each try.
 */
const { values } = parseArgs({
  options: { url: { type: 'string' }, verbose: { type: 'boolean' } },
})
const url = new URL(values.url ?? 'http://127.0.0.1:8080')
if (!['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)) {
  console.error('Attack only a server on this machine: give an address on 127.0.0.1.')
  process.exit(1)
}

const send: Send = async (method, path, { as, body, file, headers } = {}) => {
  const answer = await fetch(new URL(path, url), {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(10_000),
    headers: {
      ...as,
      ...headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(file && { 'content-type': file.type }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(file && { body: new Uint8Array(file.bytes) }),
  })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false
  return {
    status: answer.status,
    headers: {
      ...Object.fromEntries(answer.headers),
      'set-cookie': answer.headers.getSetCookie(),
    },
    body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
  }
}

const email = process.env['PLACARD_EMAIL'] ?? 'operator@demo.placard.example'
const password = process.env['PLACARD_PASSWORD'] ?? 'placard demo password'
const NO_PROVIDER =
  'The server calls no identity provider on this machine, so mix-ups there are not tried. Start it with PUBLIC_URL and OIDC_ALLOWED_HOSTS=127.0.0.1.'
const secret = process.env['PLACARD_TOTP_SECRET']
const now = () => new Date()
const ends: (() => Promise<void>)[] = []
const atEnd = (end: () => Promise<void>) => void ends.push(end)
const follow: Follow = async (as) => {
  const over = new AbortController()
  atEnd(async () => over.abort())
  const headers = { ...as, accept: 'text/event-stream' }
  const { status } = await fetch(new URL('/api/v1/admin/news?seconds=60', url), {
    headers,
    signal: over.signal,
  })
  return status
}
/** The limit of sign-ins from one address is per minute. */
const calm = () => new Promise<void>((resolve) => void setTimeout(resolve, 61_000))
try {
  const code = secret === undefined ? {} : { code: codeOf(secret, now()) }
  const operator = await signIn(send, { email, password, ...code })
  const name = `attack-${Date.now().toString(36)}`
  const target = await prepareTarget(send, { operator, name, now, atEnd, follow, calm })
  if (target.company === undefined) console.error(NO_PROVIDER)
  const verdict = await attack(target, values.verbose ? console.error : undefined)
  console.log(JSON.stringify(verdict))
  process.exitCode = verdict.broken.length === 0 ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  for (const end of ends) await end()
}
