import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { FilmHealth } from './failing-film.ts'

export interface WatchedFilm extends FilmHealth {
  readonly bannerId: string
  readonly title: string
  /** Of its advertiser. */
  readonly accountKey: string
}

const FILMS_MAX = 500

/** Films with errors since an instant, those with most of them first. */
export async function listFilmsWithErrors(db: Database, since: Date): Promise<WatchedFilm[]> {
  const { rows } = await db.execute<WatchedFilm & Record<string, unknown>>(sql`
    with counted as (
      select banner_id, name, sum(events) as events from progress_stats
       where bucket >= ${since.toISOString()}::timestamptz and label = 'valid'
         and (name = 'start' or name like 'error-%')
       group by 1, 2
    ), films as (
      select banner_id, coalesce(sum(events) filter (where name = 'start'), 0) as starts,
             sum(events) filter (where name <> 'start') as errors,
             (array_agg(name order by events desc, name) filter (where name <> 'start'))[1] as worst
        from counted group by 1
    )
    select b.public_id as "bannerId", b.title, b.account_id as "accountKey",
           f.starts::float8 as starts, f.errors::float8 as errors,
           split_part(f.worst, '-', 2)::integer as code
      from films f join banners b on b.id = f.banner_id
     where f.errors > 0
     order by f.errors desc, b.id
     limit ${FILMS_MAX}`)
  return rows
}
