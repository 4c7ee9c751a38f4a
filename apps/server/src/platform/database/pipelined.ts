/** PostgreSQL's error for every statement after the first failure in a transaction. */
const IN_FAILED_TRANSACTION = '25P02'

/**
 * `Promise.all` for statements sent together in one transaction: rejects with the first real error,
 * never with one that only followed from it.
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
