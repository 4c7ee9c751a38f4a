/** What PostgreSQL says to all statements of a transaction after one of them has failed. */
const IN_FAILED_TRANSACTION = '25P02'

/**
 * As `Promise.all` for statements that were sent together in one transaction: it fails with what went
 * wrong, never with what only followed from it.
 */
export async function pipelined<Statements extends readonly unknown[]>(
  statements: readonly [...Statements],
): Promise<{ -readonly [I in keyof Statements]: Awaited<Statements[I]> }> {
  const answers = await Promise.allSettled(statements)
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? answer.reason : []))
  if (failures.length > 0) throw failures.find(isCause) ?? failures[0]
  return Promise.all(statements)
}

const isCause = (error: { readonly code?: unknown }) => error.code !== IN_FAILED_TRANSACTION
