import { Gauge, type Registry } from 'prom-client'

/** Stored secrets by what the last round left. */
export const measureSealed = (registry: Registry): Gauge<'state'> =>
  new Gauge({
    name: 'placard_sealed_secrets',
    help: 'Stored secrets: sealed with the current ENCRYPTION_SECRET, or unreadable with those given',
    labelNames: ['state'],
    registers: [registry],
  })
