-- Clicks that led to a conversion, looked up for whole batches of clicks.
create index conversion_credits_touch_event_id_idx on conversion_credits (touch_event_id);
