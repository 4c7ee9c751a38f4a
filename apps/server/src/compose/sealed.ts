import { CLIENT_SECRETS, FACTOR_SECRETS } from '../capabilities/accounts/tables.ts'
import { CONNECTION_SECRETS } from '../capabilities/channels/tables.ts'
import { WEBHOOK_SECRETS } from '../capabilities/events-out/tables.ts'
import { RECIPIENT_SECRETS } from '../capabilities/notices/tables.ts'
import type { SealedColumn } from '../platform/sealing/sealed-column.ts'

/** Every column of stored secrets: what a new `ENCRYPTION_SECRET` seals again. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  WEBHOOK_SECRETS,
  RECIPIENT_SECRETS,
  CONNECTION_SECRETS,
  FACTOR_SECRETS,
  CLIENT_SECRETS,
]
