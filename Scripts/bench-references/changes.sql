-- What pgbench changes in a copy of our database: Live Activities, and heroes who have left a party.
CREATE TABLE bench.activity AS
    SELECT row_number() OVER (ORDER BY id) - 1 AS number, id, party FROM activities;
ALTER TABLE bench.activity ADD PRIMARY KEY (number);
CREATE TABLE bench.guest AS
    SELECT row_number() OVER (ORDER BY hero) - 1 AS number, hero, visits.party
    FROM visits LEFT JOIN memberships USING (hero) WHERE memberships.hero IS NULL;
ALTER TABLE bench.guest ADD PRIMARY KEY (number);
ANALYZE
