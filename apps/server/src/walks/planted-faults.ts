/**
 * The worst rows of an account that the constraints of the database accept. An older release, another PostgreSQL or a bug
 * could leave them there. Each text is the `set` of an update, or a whole insert. The tests plant the nth texts of all
 * tables together.
 */
export const PLANTED: Readonly<Record<string, readonly string[]>> = {
  accounts: [`name = repeat('🦄', 255)`, `name = ''`],
  ad_sets: [`name = repeat('🦄', 255), external_id = ''`, `name = '', status = 'ended'`],
  ads: [`bid_micros = 9223372036854775807`, `bid_micros = 1, name = ''`, `status = 'ended'`],
  advertisers: [
    `budget_daily_micros = 9223372036854775807, conversion_value_max_micros = 9223372036854775807`,
    `time_zone = 'Mars/Olympus', currency = 'ZZZ', domain = '..'`,
    `time_zone = '', budget_daily_micros = 1`,
  ],
  api_keys: [`scopes = array_fill('nonsense'::text, array[1000])`, `expires_at = 'infinity'`],
  assets: [
    `byte_count = 2147483647, width = 2147483647`,
    `content_type = '', file_name = '../../etc'`,
  ],
  banners: [
    `width = 2147483647, height = 2147483647, priority = 2147483647, html = repeat('<b>', 100000)`,
    `recurrence_rule = 'FREQ=NEVER', schedule_timezone = 'Mars/Olympus', media_variants = '[1]', video_files = '"x"',
     ad_verifications = '{}', schedule_status = 'scheduled', ad_product_category = 'nonsense'`,
    `publish_at = '-infinity', expires_at = 'infinity', schedule_status = 'scheduled', cta_url = 'http://[', tags = '{}'`,
  ],
  campaign_delivery: [
    `insert into campaign_delivery (campaign_id, state, code, text, checked_at)
     select id, 'limited', 'nonsense', repeat('🦄', 500), '-infinity' from campaigns where account_id in :account
     on conflict (campaign_id) do update set state = 'limited', code = 'nonsense', checked_at = '-infinity'`,
    `insert into campaign_delivery (campaign_id, state, code, text, checked_at)
     select id, 'not-delivering', null, '', 'infinity' from campaigns where account_id in :account
     on conflict (campaign_id) do update set text = '', code = null, checked_at = 'infinity'`,
  ],
  campaign_drafts: [
    `insert into campaign_drafts (public_id, account_id, saved_by, form, created_at, updated_at)
     select gen_random_uuid(), id, repeat('🦄', 1000), '[]', '-infinity', 'infinity' from accounts where id in :account`,
    `insert into campaign_drafts (public_id, account_id, saved_by, form, created_at, updated_at)
     select gen_random_uuid(), id, '', '{"rules": 7, "bannerIds": [null], "name": {}}', now(), now()
       from accounts where id in :account`,
  ],
  campaign_targeting_rules: [
    `value = jsonb_build_object('values', to_jsonb(array_fill('DE'::text, array[10000])))`,
    `value = '[]', operator = 'nonsense'`,
    `value = '{"values": [null, {}], "from": "x"}'`,
  ],
  campaigns: [
    `budget_total_micros = 9223372036854775807, budget_daily_micros = 9223372036854775807,
     max_bid_micros = 9223372036854775807, priority = 2147483647, impression_cap = 2147483647`,
    `starts_at = '-infinity', ends_at = 'infinity', categories = '{nonsense,"",NULL}', ad_product_category = ''`,
    `categories = array_fill('596'::text, array[10000]), exclusion_labels = array_fill(''::text, array[10000]), name = '', budget_daily_micros = 1, source = 'internal'`,
  ],
  change_sets: [
    `title = '', state = 'checking', author_id = gen_random_uuid(), author_name = ''`,
    `title = repeat('🦄', 10000), state = 'published', published_at = 'infinity', updated_at = '-infinity'`,
  ],
  change_set_rows: [
    `insert into change_set_rows (change_set_id, position, entity, entity_id, name, change, version)
     select id, 2147483647, 'campaign', gen_random_uuid(), '', '[]', 2147483647
       from change_sets where account_id in :account`,
    `insert into change_set_rows (change_set_id, position, entity, entity_id, name, change, version, outcome, before, after)
     select id, -1, 'ad', gen_random_uuid(), repeat('🦄', 10000), '{"do": "nonsense"}', -1, 'changed', '[]', '7'
       from change_sets where account_id in :account`,
  ],
  channel_backfills: [
    `date_from = '0001-01-01', date_to = '9999-12-31'`,
    `status = 'running', days_done = -1, waits_until = '-infinity'`,
  ],
  channel_connections: [
    `sealed_credentials = repeat('x', 100000), provider = 'meta', external_id = ''`,
    `levels = '[]', rests_until = 'infinity', failing_since = '-infinity'`,
    `levels = '{"AD": 7}', sealed_credentials = ''`,
  ],
  channel_syncs: [
    `insert into channel_syncs (public_id, advertiser_id, level, day, attempt, due_at, requested_at)
     select gen_random_uuid(), id, 'AD', '9999-12-31', 2147483647, '-infinity', '-infinity'
       from advertisers where account_id in :account`,
    `insert into channel_syncs (public_id, advertiser_id, level, day, state, attempt, due_at, requested_at)
     select gen_random_uuid(), id, 'AD', '0001-01-01', 'running', 0, 'infinity', '-infinity'
       from advertisers where account_id in :account`,
  ],
  ad_stats_daily: [
    `insert into ad_stats_daily
     select id, 'CAMPAIGN', 1, current_date, 'META', 'infinity', 9223372036854775807, 9223372036854775807, 0,
            'NaN', 'NaN', 'NaN', 'NaN', 9223372036854775807, 'NaN', 'NaN', 'NaN', 'NaN', 'NaN'
       from advertisers where account_id in :account`,
  ],
  consent_counts: [
    `insert into consent_counts (day, account_id, signal, requests)
     select current_date, id, 'nonsense', 9223372036854775807 from accounts where id in :account`,
  ],
  conversion_orders: [
    `insert into conversion_orders (advertiser_id, order_id, event_id, received_at)
     select id, repeat('x', 1000), gen_random_uuid(), '-infinity' from advertisers where account_id in :account`,
  ],
  creative_approvals: [`reason = repeat('🦄', 10000)`, `decided_at = 'infinity'`],
  device_sessions: [`device_name = repeat('🦄', 1000)`, `last_seen_at = '-infinity'`],
  event_inbox: [
    `insert into event_inbox (noted_at, events, is_early) values ('-infinity', 'no events', false)`,
    `insert into event_inbox (noted_at, events, is_early) values (now(), '', true)`,
  ],
  frequency_caps: [`max_impressions_per_user = 2147483647`, `max_impressions_per_user = 1`],
  job_orders: [
    `insert into job_orders (id, job, payload, enqueued_at, due_at, relay_after)
     values (gen_random_uuid(), 'inventory.check-domain', '[]', '-infinity', '-infinity', '-infinity')`,
    `insert into job_orders (id, job, payload, enqueued_at, due_at, relay_after)
     values (gen_random_uuid(), 'nonsense.nobody-knows', '{}', 'infinity', '-infinity', '-infinity')`,
  ],
  notices: [
    `insert into notices (public_id, account_id, way, topic, told_key, subject, words, data, status, attempts, due_at, created_at, recipient_id)
     select gen_random_uuid(), account_id, 'webhook', 'nonsense', 'x', '', '', '[]', 'waiting', 0, '-infinity', '-infinity', id
       from recipients where account_id in :account`,
    `insert into notices (public_id, account_id, way, topic, told_key, subject, words, data, status, attempts, due_at, created_at, recipient_id)
     select gen_random_uuid(), account_id, 'mail', 'nonsense', 'x', E'a\\nBcc: b@c.example', repeat('🦄', 100000), '{}', 'waiting', 0, now(), now(), id
       from recipients where account_id in :account`,
  ],
  observation_queue: [
    `insert into observation_queue (user_id, device_session_id, ip_address, state, attempts, available_at, created_at)
     values (repeat('🦄', 1000), '', '\\x00000000', 'accepted', 0, '-infinity', '-infinity')`,
    `insert into observation_queue (user_id, device_session_id, ip_address, state, attempts, available_at, created_at)
     values ('', repeat('x', 10000), null, 'processing', 2147483647, '-infinity', 'infinity')`,
  ],
  outbox: [`data = '[]', subject = ''`, `type = 'nonsense', occurred_at = 'infinity'`],
  pages: [
    `body = repeat('🦄 ', 100000), title = repeat('🦄', 1000), depth = 2147483647`,
    `url = 'no address ' || id, state = 'waiting', classified_at = null, corrected_at = null`,
    `state = 'read', body = '', classified_at = '-infinity', corrected_at = null`,
  ],
  page_categories: [
    `insert into page_categories
     select id, repeat('🦄', 1000), 1e-300 from pages where account_id in :account`,
  ],
  page_examples: [
    `insert into page_examples (site_id, category_ids, title, body, created_at)
     select id, '{nonsense,NULL}', '', repeat('🦄', 100000), '-infinity' from sites where account_id in :account`,
  ],
  placements: [
    `floor_micros = 9223372036854775807, sort_order = 2147483647, max_banners = 2147483647`,
    `time_zone = 'Mars/Olympus', formats = '{nonsense,NULL}', recommended_aspect_ratio = '0:0'`,
    `slug = '../' || id, type = 'story', formats = '{}'`,
  ],
  proposals: [`changes = '[]', status = 'pending'`, `entity = 'nonsense', entity_name = ''`],
  publishers: [`time_zone = 'Mars/Olympus', domain = '..'`, `currency = 'ZZZ', time_zone = ''`],
  recipient_links: [`address = repeat('x', 10000), expires_at = 'infinity'`],
  recipients: [
    `mail_to = array_fill('no address'::text, array[20]), confirmed_mail = array_fill('no address'::text, array[20]),
     topics = '{site-domain,geo-review,nonsense}'`,
    `sealed_secret = 'x', webhook_url = 'http://[', confirmed_webhook = 'http://[', topics = '{under-delivery}'`,
  ],
  recovery_codes: [`used_at = 'infinity'`],
  report_exports: [
    `question = '[]', status = 'waiting', attempts = 0`,
    `question = '{"dimensions": ["nonsense"], "metrics": []}', status = 'waiting', expires_at = '-infinity'`,
  ],
  saved_reports: [
    `question = '[]', every = 'day', at_hour = 0, next_due_at = '-infinity'`,
    `question = '{"dimensions": ["nonsense"]}', time_zone = 'Mars/Olympus', every = 'month', next_due_at = now()`,
  ],
  sellpages: [`url = 'no address', name = ''`, `url = 'javascript:alert(1)'`],
  sign_in_factors: [`name = repeat('🦄', 1000), last_used_at = 'infinity'`, `sealed_secret = 'x'`],
  site_ad_product_blocks: [`ad_product_category = 'nonsense'`],
  site_domain_checks: [
    `next_at = '-infinity', looks = 2147483647, faults = '{NULL}'`,
    `looks = -1`,
  ],
  sites: [
    `crawl_cron = '99 99 * * *', seed_url = 'no address', pacing = '[]', crawl_page_limit = 100000`,
    `crawl_cron = '59 23 31 4 *', domain = '', pacing = '{"weekdayVolumes": "x", "dayDurationSeconds": 0}'`,
    `pacing = '{"weekdayVolumes": [], "dayDurationSeconds": 1e300}', ads_txt_lines = '{NULL}'`,
  ],
  slots: [`width = 2147483647, height = 2147483647`, `name = ''`],
  waiting_conversions: [
    `insert into waiting_conversions (note_id, conversion, received_at) values (1, '[]', '-infinity')`,
    `insert into waiting_conversions (note_id, conversion, received_at) values (9223372036854775807, '{"kind": 7}', now())`,
  ],
  user_segments: [
    `insert into user_segments (user_key, segments, updated_at, account_id, purchased_at)
     select a.id || repeat('x', 1000), array_fill('x'::text, array[64]), '-infinity', a.id, 'infinity' from accounts a where id in :account`,
    `insert into user_segments (user_key, segments, updated_at, account_id)
     select a.id || '', '{NULL}', 'infinity', a.id from accounts a where id in :account`,
  ],
  users: [
    `display_name = repeat('🦄', 1000), declared_country = 'ZZ'`,
    `email = 'no address ' || id`,
  ],
}

/** Tables that no account can spoil, by the reason. */
export const OUT_OF_REACH: Readonly<Record<string, readonly string[]>> = {
  'It has keys of rows and nothing else': [
    'advertiser_site_blocks',
    'first_visits',
    'forgotten_users',
    'seen_events',
  ],
  'The platform’s own people write it': [
    'banner_assignments',
    'brands',
    'campaign_placements',
    'categories',
    'creative_templates',
    'first_steps',
    'geo_decision',
    'identity_providers',
    'products',
    'rescores',
    'seo_records',
    'switches',
    'webhook_endpoints',
  ],
  'Only its own caller reads it, by a key that nobody guesses': [
    'external_identities',
    'factor_challenges',
    'kept_answers',
    'pending_sign_ins',
    'refresh_tokens',
    'sign_in_limits',
    'sign_in_links',
  ],
  'The settler writes it, from events it has checked; what it cannot use is quarantined': [
    'clicks',
    'conversions',
    'conversion_credits',
    'impressions',
    'progress_events',
    'quarantined_events',
    'settled_batches',
    'views',
  ],
  'The recorder writes it, from decisions of the engine': ['auction_batches', 'auctions'],
  'It is made up from other tables, and can be made up again': [
    'ad_product_lines',
    'ad_stats_raw',
    'advertiser_stats',
    'auction_statistics',
    'banner_stats',
    'campaign_stats',
    'channel_alerts',
    'creative_minutes',
    'delivery_stats',
    'progress_stats',
    'ranker_scores',
    'reach_sketches',
    'sellpage_stats_daily',
    'serve_index',
    'site_crawls',
    'stats_cube',
  ],
  'The ledger keeps it, within constraints': [
    'budget_days',
    'budget_leases',
    'budget_resets',
    'campaign_totals',
    'frequency_counts',
    'ledger_entries',
    'ledger_proofs',
  ],
  'Agents and models keep it': [
    'bid_agent_days',
    'bid_agent_windows',
    'bid_agents',
    'bid_judgements',
    'ctr_models',
  ],
  'The geo profile writes it, from observations it has resolved': [
    'country_observation',
    'declared_country_version',
    'device_session_country_score',
    'device_session_profile',
    'geo_review_rule',
    'session_block_action',
    'user_review_state',
  ],
  'It is the platform’s own state': [
    'audit_log',
    'changes',
    'channel_ticks',
    'contextual_cursors',
    'delivery_checker',
    'feed_horizons',
    'job_schedules',
    'lease_holders',
    'migrations',
    'nodes',
    'outbox_cursors',
    'set_aside_rows',
    'stats_cursors',
    'stats_rebuilds',
    'webhook_deliveries',
  ],
}
