-- Events that a transaction has recorded and that a relay publishes afterwards.
create table outbox (
  id           int primary key,
  published_at timestamptz
);
insert into outbox (id) values (1), (2), (3);
