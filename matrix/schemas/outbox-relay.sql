-- The outbox, in the producer's database, and the inbox by which a consumer drops what it has seen. In production the
-- inbox is in the consumer's own database; nothing in the matrix joins the two.
create table outbox (
  id           bigint primary key,
  payload      text not null default '{}',
  created_at   timestamptz not null default clock_timestamp(),
  published_at timestamptz
);
-- Makes the claim and the two numbers of the outbox, its depth and its age, independent of how much was ever published.
create index outbox_pending on outbox (id) where published_at is null;

create table inbox (
  event_id   bigint primary key,
  applied_at timestamptz not null default clock_timestamp()
);
