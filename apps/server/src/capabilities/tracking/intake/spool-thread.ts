import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { SpoolAnswer, SpoolRequest, SqliteSpoolOptions } from './spool.ts'

/**
 * Runs in the spool's thread. Requests that arrive during a commit share the next one: the slower
 * the disk, the larger the commits.
 */
class SpoolFile {
  private readonly db: DatabaseSync
  private readonly insert: StatementSync
  private readonly select: StatementSync
  private readonly erase: StatementSync
  private readonly bytesMax: number
  private count = 0
  private bytes = 0

  constructor({ file, bytesMax }: SqliteSpoolOptions) {
    this.bytesMax = bytesMax
    this.db = new DatabaseSync(file)
    this.db.exec(`
      pragma locking_mode = exclusive;
      pragma journal_mode = wal;
      pragma synchronous = full;
      pragma busy_timeout = 2000;
      create table if not exists events (id integer primary key autoincrement, event text not null);`)
    this.insert = this.db.prepare('insert into events (event) values (?)')
    this.select = this.db.prepare('select id, event from events order by id limit ?')
    this.erase = this.db.prepare('delete from events where id <= ?')
    this.measure()
  }

  opened(): SpoolAnswer {
    return { id: 0, kind: 'opened', count: this.count }
  }

  /** Answers only after the commit, so an event that is `kept` is on disk. */
  serve(requests: readonly SpoolRequest[]): SpoolAnswer[] {
    this.db.exec('begin immediate')
    try {
      const answers = requests.map((request) => this.answer(request))
      this.db.exec('commit')
      return answers.map((answer) => ({ ...answer, count: this.count }))
    } catch (error) {
      this.db.exec('rollback')
      this.measure()
      const reason = error instanceof Error ? error.message : String(error)
      return requests.map(({ id }) => ({ id, kind: 'failed', count: this.count, reason }))
    }
  }

  close(): void {
    this.db.close()
  }

  private answer(request: SpoolRequest): SpoolAnswer {
    const { id } = request
    const { count } = this
    if (request.kind === 'append') return { id, count, kind: this.append(request.events) }
    if (request.kind === 'read') return { id, count, kind: 'page', ...this.read(request.limit) }
    if (request.kind === 'remove') this.remove(request.through)
    if (request.kind === 'probe') this.db.exec('pragma user_version = 1')
    return { id, count, kind: 'done' }
  }

  private append(events: readonly string[]): 'done' | 'full' {
    const added = events.reduce((sum, event) => sum + event.length, 0)
    if (this.bytes + added > this.bytesMax) return 'full'
    for (const event of events) this.insert.run(event)
    this.bytes += added
    this.count += events.length
    return 'done'
  }

  private read(limit: number) {
    const rows = this.select.all(limit) as { id: number; event: string }[]
    return { events: rows.map(({ event }) => event), through: rows.at(-1)?.id ?? 0 }
  }

  private remove(through: number): void {
    this.erase.run(through)
    this.measure()
  }

  private measure(): void {
    const row = this.db
      .prepare('select count(*) as count, sum(length(event)) as bytes from events')
      .get()
    this.count = Number(row!['count'])
    this.bytes = Number(row!['bytes'] ?? 0)
  }
}

function run(port: MessagePort, file: SpoolFile): void {
  let waiting: SpoolRequest[] = []

  const serveWaiting = () => {
    const requests = waiting
    waiting = []
    for (const answer of file.serve(requests)) port.postMessage(answer)
    if (!requests.some(({ kind }) => kind === 'close')) return
    file.close()
    port.close()
  }
  port.on('message', (request: SpoolRequest) => {
    waiting.push(request)
    if (waiting.length === 1) setImmediate(serveWaiting)
  })
  port.postMessage(file.opened())
}

run(parentPort!, new SpoolFile(workerData as SqliteSpoolOptions))
