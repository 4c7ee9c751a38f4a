-- What players need to know of a film: read from the file at upload, kept on the asset and, for every file of a film,
-- on the banner. A film that lies elsewhere has what its banner says; a tag of another ad server is a wrapper.

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

-- A film that is on a banner already: what is known without reading the file again.
update banners
   set video_files = jsonb_build_array(jsonb_build_object(
         'url', video_url, 'contentType', 'video/mp4', 'width', width, 'height', height,
         'durationMs', null, 'bitrateKbps', null, 'byteCount', null))
 where video_url is not null;
