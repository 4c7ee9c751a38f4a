-- Facts that players need: read from the file at upload, stored with the asset and, for every file of a film, with
-- the banner. A film elsewhere has the facts that its banner states. A tag of another ad server is a wrapper.

alter table assets
  add column duration_ms integer check (duration_ms > 0),
  add column bitrate_kbps integer generated always as (least(byte_count::bigint * 8 / duration_ms, 1000000)::integer) stored;

alter table banners
  add column video_duration_ms integer check (video_duration_ms > 0),
  add column video_renditions jsonb,
  add column video_skip_after_ms integer check (video_skip_after_ms >= 0),
  add column video_files jsonb,
  add column vast_url text,
  add column ad_verifications jsonb;

-- Films of existing banners: the facts known without reading the file again.
update banners
   set video_files = jsonb_build_array(jsonb_build_object(
         'url', video_url, 'contentType', 'video/mp4', 'width', width, 'height', height,
         'durationMs', null, 'bitrateKbps', null, 'byteCount', null))
 where video_url is not null;
