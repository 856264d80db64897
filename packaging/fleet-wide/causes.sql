-- Which causes recur, and in how many tickets?
--   fleetlens analyze --each tickets --format ndjson > tickets.ndjson
--   duckdb < causes.sql
-- Symptoms are left out: a finding that another one explains is no cause.
WITH findings AS (
    SELECT input, unnest(from_json(report -> '$.findings', '["JSON"]')) AS finding
    FROM read_json('tickets.ndjson', format = 'newline_delimited', maximum_object_size = 268435456,
                   columns = {input: 'VARCHAR', outcome: 'VARCHAR', message: 'VARCHAR', report: 'JSON'})
    WHERE outcome = 'judged'
)
SELECT finding ->> '$.code' AS code, finding ->> '$.name' AS name, count(DISTINCT input) AS tickets, min(input) AS example
FROM findings
WHERE finding ->> '$.severity' = 'error' AND json_array_length(finding -> '$.explained_by') = 0
GROUP BY ALL
ORDER BY tickets DESC, code;
