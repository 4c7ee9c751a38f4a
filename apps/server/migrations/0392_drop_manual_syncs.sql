-- channel_syncs replaced it; no program reads or writes it.
drop table manual_syncs;
