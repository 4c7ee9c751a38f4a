/** The caller: a user's session or an API key, and what it may access. */
export interface Principal {
  readonly kind: 'user' | 'key'
  readonly id: string
  readonly name: string
  readonly accountId: bigint
  /** Users and keys of the platform's account work across all accounts. */
  readonly isPlatform: boolean
  readonly permissions: ReadonlySet<string>
  readonly userId?: bigint
  readonly sessionId?: bigint
  /** Public id of the device session. */
  readonly deviceSessionId?: string
  /** A second factor must be set up first: until then only routes for doing so are open. */
  readonly mustSetUpFactor?: boolean
}

/** `public`: everybody. `signed-in`: any known caller. Otherwise the name of a permission. */
export type Access = 'public' | 'signed-in' | `${string}:${'read' | 'write'}`

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** Public serving and tracking ignore unknown fields: a newer tag may meet an older node. */
    ignoresUnknownFields?: boolean
    /** The answer holds a secret shown once: neither caches nor repeats may keep it. */
    answerIsSecret?: boolean
    /** Open to signed-in users who must set up a second factor first. */
    isOpenWithoutFactor?: boolean
    /** Too hot to look up the credential each time: it is trusted for a few seconds. */
    remembersCaller?: boolean
    /** A public route that also identifies callers who send a credential. */
    knowsCallers?: boolean
    /** Answers 503 at once while the process is overloaded, instead of queueing. */
    shedsLoad?: boolean
    /** Called by services, never by browsers. */
    isForMachines?: boolean
    /** Pages of other origins may call it, with their credentials if it says so. */
    crossOrigin?: boolean | 'with-credentials'
  }
  interface FastifyRequest {
    principal: Principal | undefined
  }
}
