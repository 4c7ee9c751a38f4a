/** Who calls: a person's session or a machine's key, and what it may touch. */
export interface Principal {
  readonly kind: 'user' | 'key'
  readonly id: string
  readonly name: string
  readonly accountId: bigint
  /** People and keys of the platform's own account work across all accounts. */
  readonly isPlatform: boolean
  readonly permissions: ReadonlySet<string>
  readonly userId?: bigint
  readonly sessionId?: bigint
  /** The public id of the device session. */
  readonly deviceSessionId?: string
}

/** `public` needs nobody, `signed-in` anybody known, all else is the name of a permission. */
export type Access = 'public' | 'signed-in' | `${string}:${'read' | 'write'}`

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** Public serving and tracking ignore unknown fields: a newer tag may meet an older node. */
    ignoresUnknownFields?: boolean
    /** The answer holds a secret that is shown once: it is kept neither for a repeat nor by caches. */
    answerIsSecret?: boolean
    /** Too hot to look the credential up each time: it is believed for seconds. */
    remembersCaller?: boolean
    /** A public route that nevertheless wants to know a caller who sends a credential. */
    knowsCallers?: boolean
    /** Answers 503 at once while the process is behind, instead of joining the queue. */
    shedsLoad?: boolean
    /** Services call it, no browser does. */
    isForMachines?: boolean
    /** A page of another origin may call it. */
    crossOrigin?: boolean
  }
  interface FastifyRequest {
    principal: Principal | undefined
  }
}
