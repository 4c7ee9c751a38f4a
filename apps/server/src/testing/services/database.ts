import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { connect, type Connection } from '../../platform/database/connect.ts'

export const MIGRATIONS = path.join(import.meta.dirname, '../../../migrations')
export const TEMPLATE = 'placard_template'

export function urlOf(clusterUrl: string, database: string): string {
  const url = new URL(clusterUrl)
  url.pathname = `/${database}`
  return url.href
}

/** Registers a clean-up, by default for the end of the test. */
export type AtEnd = (tidyUp: () => Promise<void>) => void

/** A migrated database, cloned in milliseconds and dropped after the test. */
export async function freshDatabase(
  template = TEMPLATE,
  atEnd: AtEnd = onTestFinished,
): Promise<Connection & { url: string }> {
  const clusterUrl = inject('clusterUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await onCluster(clusterUrl, `create database ${name} template ${template} strategy file_copy`)

  const url = urlOf(clusterUrl, name)
  const connection = connect({ url, connectionsMax: 8, statementTimeoutMs: 20_000 })
  atEnd(async () => {
    await connection.close()
    await onCluster(clusterUrl, `drop database ${name} with (force)`)
  })
  return { ...connection, url }
}

/** Fills a database that later tests clone by its name; it lives as long as the cluster. */
export async function makeTemplate(fill: (filled: Connection) => Promise<void>): Promise<string> {
  const clusterUrl = inject('clusterUrl')
  const name = `template_${randomUUID().replaceAll('-', '')}`
  await onCluster(clusterUrl, `create database ${name} template ${TEMPLATE} strategy file_copy`)

  const url = urlOf(clusterUrl, name)
  const connection = connect({ url, connectionsMax: 2, statementTimeoutMs: 20_000 })
  try {
    await fill(connection)
  } finally {
    await connection.close()
  }
  return name
}

async function onCluster(url: string, statement: string): Promise<void> {
  const admin = connect({ url, connectionsMax: 1, statementTimeoutMs: 20_000 })
  await admin.pool.query(statement)
  await admin.close()
}
