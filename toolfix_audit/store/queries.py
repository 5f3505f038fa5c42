"""Every statement that the store runs, as a named constant. Data goes in as parameters, or as
the registered Arrow table `incoming`; nothing is ever pasted into SQL."""

from __future__ import annotations

from typing import Final

BEGIN: Final = "BEGIN TRANSACTION"
BEGIN_READ_ONLY: Final = "BEGIN TRANSACTION READ ONLY"
COMMIT: Final = "COMMIT"
ROLLBACK: Final = "ROLLBACK"
CHECKPOINT: Final = "CHECKPOINT"
ATTACH: Final = "ATTACH IF NOT EXISTS ? AS store (ROW_GROUP_SIZE 4096)"
ATTACH_READ_ONLY: Final = "ATTACH IF NOT EXISTS ? AS store (READ_ONLY)"
"""Small row groups: DuckDB writes a group anew with every checkpoint until it is full, and our
rows are long."""
USE: Final = "USE store"
IS_LOCKED_DOWN: Final = "SELECT current_setting('lock_configuration')"
LOCK_DOWN: Final = "SET enable_external_access = false; SET lock_configuration = true"

PUT_META: Final = "INSERT INTO meta VALUES (?, ?)"
GET_META: Final = "SELECT schema_version, tool_version FROM meta"

# --- sources ---------------------------------------------------------------------------------

KNOWN_SOURCES: Final = """
SELECT source_paths.path, digest, sources.format, sources.size, source_paths.stamp
FROM source_paths JOIN sources USING (digest)
"""
"""What was read, by every path at which it was seen."""

# --- schemas ---------------------------------------------------------------------------------

TOOL_SCHEMAS: Final = "SELECT digest, text FROM tool_schemas ORDER BY digest"

CATALOGS: Final = "SELECT catalog, tool, digest FROM catalogs ORDER BY catalog, tool"

DROP_SUPPLIED: Final = "DELETE FROM supplied WHERE origin = ? AND name = ?"

NEXT_SUPPLIED: Final = "SELECT coalesce(max(ordinal), 0) + 1 FROM supplied"

SUPPLIED: Final = """
SELECT tool, digest FROM supplied WHERE origin = ? ORDER BY tool, ordinal
"""

PROGRAMS: Final = """
SELECT DISTINCT harness, version FROM sessions
WHERE harness IS NOT NULL AND EXISTS (
    SELECT 1 FROM calls WHERE calls.source = sessions.source
    AND calls.session = sessions.session AND (calls.catalog IS NULL OR calls.dispatched)
)
ORDER BY harness, version
"""
"""The harnesses of sessions that have calls without a tool list of their request."""

COUNT_CALLS: Final = "SELECT count(*) FROM calls"

CALLS_BY_TOOL: Final = "SELECT tool, count(*) FROM kept_calls GROUP BY tool ORDER BY tool"

SUPPLIED_NAMES: Final = """
SELECT origin, name, tool, count(DISTINCT digest) FROM supplied
GROUP BY origin, name, tool ORDER BY tool, origin, name
"""

CALLED_NAMES: Final = "SELECT DISTINCT tool FROM calls ORDER BY tool"

RETRIES: Final = """
WITH ordered AS (
    SELECT outcomes.*, calls.source, calls.position,
        row_number() OVER (PARTITION BY outcomes.session ORDER BY calls.source, calls.position)
            AS place
    FROM outcomes JOIN calls ON calls.call = outcomes.call WHERE outcomes.run = $run
)
SELECT fixed.call, fixed.session, fixed.tool, fixed.families, fixed.before, fixed.after,
    later.before
FROM ordered AS fixed LEFT JOIN ordered AS later
    ON later.session = fixed.session AND later.resolved = fixed.resolved
    AND later.place > fixed.place AND later.place <= fixed.place + $within
    AND later.outcome = 'valid' AND later.host IN ('accepted', 'failed')
WHERE fixed.outcome = 'fixed' AND fixed.host IN ('rejected_arguments', 'rejected_name')
QUALIFY row_number() OVER (PARTITION BY fixed.call ORDER BY later.place) = 1
ORDER BY fixed.source, fixed.position
"""
"""Repaired calls that the host had rejected, each with its first retry of that tool, if any."""

# --- calls for the kernel --------------------------------------------------------------------

UNFLAGGED: Final = "SELECT harness FROM sessions WHERE list_contains(?, harness) LIMIT 1"
"""A host whose refusals may not be marked as errors, if there is one."""

PAGES: Final = """
CREATE TEMP TABLE pages AS
WITH answers AS (
    SELECT source, call_position, min(position) AS answer,
        arg_min(CASE WHEN is_error OR $unflagged THEN size ELSE 0 END, position) AS size
    FROM results WHERE call_position IS NOT NULL GROUP BY source, call_position
),
kept AS (
    SELECT kept_calls.source, kept_calls.position, answers.answer,
        kept_calls.size + coalesce(answers.size, 0) AS size
    FROM kept_calls LEFT JOIN answers
        ON answers.source = kept_calls.source AND answers.call_position = kept_calls.position
)
SELECT source, position, answer,
    (row_number() OVER (ORDER BY source, position) - 1) // $rows AS row_page,
    sum(size) OVER (ORDER BY source, position ROWS UNBOUNDED PRECEDING) // $size AS size_page
FROM kept ORDER BY source, position
"""
"""Which calls make one page: at most so many rows, and about so many characters."""

PAGE_BOUNDS: Final = """
SELECT row_page, size_page, min(source), max(source), min(position), max(position),
    min(answer), max(answer)
FROM pages GROUP BY row_page, size_page ORDER BY row_page, size_page
"""

PAGE: Final = """
WITH page AS (
    SELECT source, position, answer FROM pages
    WHERE row_page = $row_page AND size_page = $size_page
),
page_calls AS (
    SELECT * FROM calls
    WHERE source BETWEEN $first_source AND $last_source
    AND position BETWEEN $first_position AND $last_position
),
page_results AS (
    SELECT source, position, is_error, error_code FROM results
    WHERE source BETWEEN $first_source AND $last_source
    AND position BETWEEN $first_answer AND $last_answer
),
page_texts AS (
    SELECT source, position, text FROM results
    WHERE source BETWEEN $first_source AND $last_source
    AND position BETWEEN $first_answer AND $last_answer AND (is_error OR $unflagged)
),
page_sessions AS (
    SELECT DISTINCT ON (source, session) source, session, harness, version FROM sessions
    WHERE source BETWEEN $first_source AND $last_source AND harness IS NOT NULL
    ORDER BY source, session, ordinal
)
SELECT c.call, c.session, sources.path, c.tool, c.arguments, c.form, c.streamed, c.dispatched,
    c.catalog, c.finish_reason, s.harness, s.version, c.provider, c.model,
    page.answer IS NOT NULL AS has_result, r.is_error, t.text AS result_text, r.error_code
FROM page
JOIN page_calls AS c ON c.source = page.source AND c.position = page.position
JOIN sources ON sources.source = page.source
LEFT JOIN page_results AS r ON r.source = page.source AND r.position = page.answer
LEFT JOIN page_texts AS t ON t.source = page.source AND t.position = page.answer
LEFT JOIN page_sessions AS s ON s.source = page.source AND s.session = c.session
ORDER BY page.source, page.position
"""

# --- counts ----------------------------------------------------------------------------------

CORPUS: Final = """
WITH gone AS MATERIALIZED (SELECT source, position FROM set_aside)
SELECT
    (SELECT count(*) FROM sources),
    (SELECT count(DISTINCT session) FROM sessions),
    (SELECT coalesce(sum(records), 0)::BIGINT FROM sources),
    (SELECT count(*) FROM calls) - (SELECT count(*) FROM gone),
    (SELECT count(*) FROM results) - (
        SELECT count(*) FROM results JOIN gone
            ON gone.source = results.source AND gone.position = results.call_position
    ),
    (SELECT count(*) FROM assistant_texts),
    (SELECT count(*) FROM unreadable),
    (SELECT count(*) FROM gone)
"""

SOURCE_ROWS: Final = """
SELECT path, format, calls, results, texts, unreadable FROM sources ORDER BY source
"""

WITHOUT_SCHEMA: Final = """
SELECT sources.format, count(*)
FROM calls JOIN sources USING (source)
LEFT JOIN catalogs ON catalogs.catalog = calls.catalog AND catalogs.tool = calls.tool
WHERE catalogs.digest IS NULL AND list_contains($digests, sources.digest)
AND calls.tool NOT IN (
    SELECT tool FROM supplied WHERE origin <> 'alternate' AND digest IS NOT NULL
)
GROUP BY sources.format
"""

UNREADABLE_ROWS: Final = """
SELECT sources.path, u.line, u.byte_offset, u.cause
FROM unreadable AS u JOIN sources USING (source)
ORDER BY u.source, u.byte_offset, u.line, u.cause LIMIT ?
"""

SOURCE_LABELS: Final = "SELECT source, labels FROM sources"

# The calls with a mis-fix: those convicted by a probe, and those that are named.
OUTCOME_GROUPS: Final = """
WITH accused AS (
    SELECT call FROM probes WHERE run = $run AND convicted UNION SELECT unnest($named::VARCHAR[])
)
SELECT calls.source, outcomes.outcome, count(*), count(accused.call), sources.path, sources.format,
    outcomes.session, outcomes.tool, outcomes.provider, outcomes.model
FROM outcomes JOIN calls ON calls.call = outcomes.call JOIN sources USING (source)
    LEFT JOIN accused ON accused.call = outcomes.call
WHERE outcomes.run = $run GROUP BY ALL
"""

SOURCE_GROUPS: Final = """
WITH accused AS (
    SELECT call FROM probes WHERE run = $run AND convicted UNION SELECT unnest($named::VARCHAR[])
)
SELECT calls.source, outcomes.outcome, count(*), count(accused.call), sources.path
FROM outcomes JOIN calls ON calls.call = outcomes.call JOIN sources USING (source)
    LEFT JOIN accused ON accused.call = outcomes.call
WHERE outcomes.run = $run GROUP BY ALL
"""

LABELS: Final = "SELECT labels FROM sources ORDER BY source"

# --- runs ------------------------------------------------------------------------------------

DROP_RUN: Final = (
    "DELETE FROM runs WHERE run = ?",
    "DELETE FROM outcomes WHERE run = ?",
    "DELETE FROM steps WHERE run = ?",
    "DELETE FROM probes WHERE run = ?",
)

PUT_RUN: Final = """
INSERT INTO runs SELECT coalesce(max(ordinal), 0) + 1, $run, $started, $spec, $report FROM runs
"""

PUT_OUTCOMES: Final = (
    "INSERT INTO outcomes BY NAME SELECT $run AS run, incoming.* FROM incoming",
    """
    INSERT INTO steps
    SELECT $run, call, i, steps[i].family, steps[i].action, steps[i].pointer, steps[i].before,
        steps[i].after
    FROM (SELECT call, steps, unnest(range(1, len(steps) + 1)) AS i FROM incoming)
    """,
    """
    INSERT INTO probes
    SELECT $run, call, i, probes[i].kind, probes[i].families, probes[i].convicted,
        probes[i].detail
    FROM (SELECT call, probes, unnest(range(1, len(probes) + 1)) AS i FROM incoming)
    """,
)

LATEST_RUN: Final = """
SELECT run, started, spec, report FROM runs ORDER BY ordinal DESC LIMIT 1
"""

# --- one call --------------------------------------------------------------------------------

CALLS_NAMED: Final = "SELECT call FROM calls WHERE starts_with(call, ?) ORDER BY call LIMIT 20"

ONE_CALL: Final = """
SELECT calls.call, calls.session, calls.tool, calls.arguments, calls.form, calls.catalog,
    calls.model, calls.provider, calls.time, calls.source, calls.position, sources.path,
    (SELECT any_value(harness) FROM sessions WHERE sessions.source = calls.source
        AND sessions.session = calls.session) AS harness,
    results.text AS result_text, results.is_error
FROM calls JOIN sources USING (source)
LEFT JOIN results ON results.source = calls.source AND results.call_position = calls.position
WHERE calls.call = ? ORDER BY results.position LIMIT 1
"""

ONE_OUTCOME: Final = """
SELECT resolved, outcome, reason, opt_in, origin, schema, host, families, suspected, before,
    after, steps, violations_before, violations_after, left_alone, suspicions, findings, probes
FROM outcomes WHERE run = ? AND call = ?
"""

NEIGHBOURS: Final = """
WITH ordered AS (
    SELECT calls.call, calls.tool, calls.position, outcomes.outcome, outcomes.host,
        row_number() OVER (ORDER BY calls.position) AS place,
        count(*) OVER () AS total
    FROM calls LEFT JOIN outcomes ON outcomes.call = calls.call AND outcomes.run = $run
    WHERE calls.source = $source AND calls.session = $session
)
SELECT place, total, call, tool, outcome, host FROM ordered
WHERE abs(place - (SELECT place FROM ordered WHERE position = $position)) <= $around
ORDER BY place
"""
"""A call's own row and those around it in its session."""

REPRESENTATIVES: Final = """
SELECT o.call, c.tool, c.arguments, c.model, c.provider, c.finish_reason, s.harness, s.version,
    c.catalog, c.dispatched, o.schema, o.resolved, o.host, o.outcome, o.reason, o.families
FROM outcomes AS o JOIN calls AS c ON c.call = o.call
LEFT JOIN (
    SELECT source, session, any_value(harness) AS harness, any_value(version) AS version
    FROM sessions GROUP BY source, session
) AS s ON s.source = c.source AND s.session = c.session
WHERE o.run = ?
QUALIFY row_number() OVER (
    PARTITION BY o.tool, o.schema, o.shape, o.families, o.outcome, o.reason
    ORDER BY length(c.arguments), o.call
) = 1
ORDER BY o.call
"""
"""One call for every tool, schema, shape, families, outcome and reason."""

VERDICTS: Final = "SELECT session, outcome, reason, families FROM outcomes ORDER BY session"

# --- why it happens --------------------------------------------------------------------------

TRAITS: Final = """
CREATE TEMP TABLE traits AS
WITH placed AS (
    SELECT o.call, o.session, o.tool, o.provider, o.model, o.schema, o.families, o.depth,
        o.before, o.after, calls.source,
        row_number() OVER (PARTITION BY o.session ORDER BY calls.source, calls.position) AS place,
        lag(o.depth) OVER (PARTITION BY o.session ORDER BY calls.source, calls.position) AS earlier
    FROM outcomes AS o JOIN calls ON calls.call = o.call WHERE o.run = ?
)
SELECT call, session, families, depth, place, earlier, schema AS "schema depth", tool,
    concat_ws('/', provider, model) AS model,
    CASE WHEN place = 1 THEN '1' WHEN place <= 10 THEN '2 to 10' WHEN place <= 30 THEN '11 to 30'
        WHEN place <= 100 THEN '31 to 100' ELSE 'over 100' END AS "place in session",
    CASE WHEN cjk = 0 THEN 'none' WHEN cjk * 10 < characters THEN 'under 10 %'
        ELSE '10 % and more' END AS "CJK text",
    CASE WHEN items IS NULL THEN 'no array' WHEN items <= 1 THEN '0 or 1'
        WHEN items <= 10 THEN '2 to 10' ELSE 'over 10' END AS "longest array"
FROM (
    SELECT *, length(before) AS characters,
        CASE WHEN strlen(before) = length(before) THEN 0 ELSE length(regexp_replace(before,
            '[^\\x{3040}-\\x{30ff}\\x{3400}-\\x{9fff}\\x{ac00}-\\x{d7af}]', '', 'g'))
        END AS cjk,
        CASE WHEN contains(coalesce(after, before), '[') AND length(before) < 100000
            AND json_valid(coalesce(after, before)) THEN
            list_max(list_transform(json_extract(coalesce(after, before), '$.*'),
                lambda part: CASE WHEN json_type(part) = 'ARRAY' THEN json_array_length(part) END))
        END AS items
    FROM placed
)
"""
"""A row a call: the families that touched it, and the traits by which rates are told."""

DROP_TRAITS: Final = "DROP TABLE IF EXISTS traits"

RATES: Final = """
WITH told AS (
    UNPIVOT (
        SELECT families, model, tool, "place in session", "CJK text", "longest array",
            "schema depth"
        FROM traits
    ) ON model, tool, "place in session", "CJK text", "longest array", "schema depth"
    INTO NAME trait VALUE value
),
known AS (SELECT trait, value, count(*) AS calls FROM told GROUP BY trait, value),
touched AS (
    SELECT trait, value, family, count(*) AS touched
    FROM (SELECT trait, value, unnest(families) AS family FROM told) GROUP BY trait, value, family
)
SELECT trait, value, calls, family, touched FROM known LEFT JOIN touched USING (trait, value)
"""
"""Every value of every trait with its calls, and how many of them each family touched."""

PLACES: Final = """
SELECT "place in session", count(*), count(*) FILTER (depth > 0), coalesce(sum(depth), 0)::BIGINT,
    coalesce(max(depth), 0)
FROM traits GROUP BY "place in session" ORDER BY min(place)
"""

IMITATION: Final = """
SELECT count(*) FILTER (depth > 0 AND earlier > 0), count(*) FILTER (earlier > 0),
    count(*) FILTER (depth > 0 AND earlier = 0), count(*) FILTER (earlier = 0),
    count(*) FILTER (depth > 0 AND earlier IS NULL), count(*) FILTER (earlier IS NULL),
    count(*) FILTER (depth > 0 AND coalesce(earlier, 0) = 0),
    (
        SELECT coalesce(max(length), 0) FROM (
            SELECT count(*) AS length FROM (
                SELECT session, place - row_number() OVER (PARTITION BY session ORDER BY place)
                    AS island
                FROM traits WHERE depth > 0
            ) GROUP BY session, island
        )
    )
FROM traits
"""
