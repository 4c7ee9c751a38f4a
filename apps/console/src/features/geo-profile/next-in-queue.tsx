import type { BlockActions, ReviewCandidates } from '@placard/contract/geo-profile'
import { Link } from '@tanstack/react-router'
import type { Static } from 'typebox'
import { useRead } from '../../api/hooks.ts'

/** The next user who waits for a decision: sessions first, then reviews. */
export function NextInQueue({ userId }: { readonly userId: string }) {
  const everySeconds = 30
  const sessions = useRead<Static<typeof BlockActions>>('/internal/block-actions', {
    query: { state: 'awaiting_review', limit: 50 },
    everySeconds,
  })
  const reviews = useRead<Static<typeof ReviewCandidates>>('/internal/review-candidates', {
    query: { limit: 50 },
    everySeconds,
  })
  const waiting = [...(sessions.data?.items ?? []), ...(reviews.data?.items ?? [])]
  const next = waiting.find(({ user_id }) => user_id !== userId)
  if (!next) return null
  return (
    <p className="text-right">
      <Link to={`/trust/${next.user_id}`} className="underline">
        Next in the queue
      </Link>
    </p>
  )
}
