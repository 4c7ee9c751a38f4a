import type { ReactNode } from 'react'
import type { useList } from '../../api/hooks.ts'
import { Button } from '../button.tsx'
import { Card } from './card.tsx'
import { ProblemState, Waiting } from './states.tsx'

interface CardListProps<Row> {
  readonly list: ReturnType<typeof useList<Row>>
  /** The grid or column that holds the cards. */
  readonly className: string
  /** Shown instead of an empty list. */
  readonly empty: ReactNode
  /** One row as a list item. */
  readonly children: (row: Row) => ReactNode
}

/** Rows of a list as cards: waiting, failed, empty, and "Show more". */
export function CardList<Row>({ list, className, empty, children }: CardListProps<Row>) {
  if (list.isLoading) return <Waiting lines={4} />
  if (list.error && list.rows.length === 0)
    return <ProblemState error={list.error} retry={list.retry} />
  if (list.rows.length === 0) return <Card>{empty}</Card>
  return (
    <>
      <ul className={className}>{list.rows.map(children)}</ul>
      {list.hasMore && (
        <div className="text-center">
          <Button onClick={list.loadMore}>Show more</Button>
        </div>
      )}
    </>
  )
}
