import type { Ids } from '../../../platform/ids.ts'
import type { Actor } from '../../../platform/resources/index.ts'

/** The actor that the audit log names for what learning does by itself. */
export const learningActor = (ids: Ids): Actor => ({
  requestId: ids.next(),
  principal: {
    kind: 'key',
    id: '00000000-0000-7000-8000-00000001ea2e',
    name: 'learning',
    accountId: 0n,
    isPlatform: true,
    permissions: new Set(),
  },
})
