-- The deliveries of the notification drain. The names of the constraints are those that matrix/notification-drain.yml
-- quotes where it calls a combination impossible.
create table delivery (
  id              bigint primary key,
  status          text not null default 'pending',
  attempts        integer not null default 0,
  claim_version   integer not null default 0,
  next_attempt_at timestamptz not null default clock_timestamp(),
  constraint delivery_status_is_known check (status in ('pending', 'sent', 'failed')),
  constraint delivery_counts_claims check (attempts between 0 and claim_version),
  constraint delivery_ends_after_a_claim check (status = 'pending' or claim_version > 0)
);
-- Makes the claim independent of how much was ever delivered.
create index delivery_due on delivery (next_attempt_at) where status = 'pending';
