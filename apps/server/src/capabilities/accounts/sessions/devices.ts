import { DAY_SECONDS } from '@placard/calendar'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type CookieSettings, deviceTokenIn, keepCookie } from './cookies.ts'
import type { SessionDeps } from './open-session.ts'
import { DEVICE_DAYS, type KnownDevice } from './tokens.ts'

const USERS_MAX = 8

/** The browser, if anybody has signed in with it before. */
export async function readDevice(
  { tokens }: SessionDeps,
  request: FastifyRequest,
): Promise<KnownDevice | undefined> {
  const token = deviceTokenIn(request)
  return token === undefined ? undefined : tokens.readDevice(token)
}

interface DeviceUse {
  readonly device: KnownDevice | undefined
  readonly userId: string
}

/** Remembers that this user has signed in with the browser. */
export async function keepDevice(
  reply: FastifyReply,
  { tokens, ids, cookies }: SessionDeps & { readonly cookies: CookieSettings },
  { device, userId }: DeviceUse,
): Promise<void> {
  const others = device?.users.filter((one) => one !== userId) ?? []
  const token = await tokens.issueDevice({
    id: device?.id ?? ids.next(),
    users: [userId, ...others].slice(0, USERS_MAX),
  })
  keepCookie(reply, cookies, {
    kind: 'device',
    kept: { token, seconds: DEVICE_DAYS * DAY_SECONDS },
  })
}
