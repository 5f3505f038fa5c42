"""Every statement that the store runs, as a named constant. Data goes in as parameters, or as
the registered Arrow table `incoming`; nothing is ever pasted into SQL."""

from __future__ import annotations

from typing import Final

BEGIN: Final = "BEGIN TRANSACTION"
BEGIN_READ_ONLY: Final = "BEGIN TRANSACTION READ ONLY"
COMMIT: Final = "COMMIT"
ROLLBACK: Final = "ROLLBACK"
CHECKPOINT: Final = "CHECKPOINT"
IS_LOCKED_DOWN: Final = "SELECT current_setting('lock_configuration')"
LOCK_DOWN: Final = "SET enable_external_access = false; SET lock_configuration = true"

PUT_META: Final = "INSERT INTO meta VALUES (?, ?)"
GET_META: Final = "SELECT schema_version, tool_version FROM meta"

# --- sources ---------------------------------------------------------------------------------

NEXT_SOURCE: Final = "SELECT coalesce(max(source), 0) + 1 FROM sources"

SOURCE_BY_DIGEST: Final = """
SELECT source, units, records, unreadable, calls, results, texts FROM sources WHERE digest = ?
"""

IGNORED_OF: Final = "SELECT kind, n FROM ignored_kinds WHERE source = ? ORDER BY kind"

DIGEST_AT_PATH: Final = "SELECT digest FROM source_paths WHERE path = ?"

DROP_PATH: Final = "DELETE FROM source_paths WHERE path = ?"

PUT_PATH: Final = "INSERT INTO source_paths VALUES (?, ?)"

OTHER_PATH: Final = """
SELECT path FROM source_paths WHERE digest = ? ORDER BY rowid LIMIT 1
"""

SHOW_AT_PATH: Final = "UPDATE sources SET path = ? WHERE digest = ?"

PUT_SOURCE: Final = "INSERT INTO sources VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

DROP_SOURCE: Final = (
    "DELETE FROM sources WHERE source = ?",
    "DELETE FROM ignored_kinds WHERE source = ?",
    "DELETE FROM sessions WHERE source = ?",
    "DELETE FROM catalog_uses WHERE source = ?",
    "DELETE FROM calls WHERE source = ?",
    "DELETE FROM results WHERE source = ?",
    "DELETE FROM assistant_texts WHERE source = ?",
    "DELETE FROM stream_errors WHERE source = ?",
    "DELETE FROM unreadable WHERE source = ?",
)

SWEEP: Final = (
    """
    DELETE FROM catalogs WHERE NOT EXISTS (
        SELECT 1 FROM catalog_uses WHERE catalog_uses.catalog = catalogs.catalog
    )
    """,
    """
    DELETE FROM tool_schemas
    WHERE NOT EXISTS (SELECT 1 FROM catalogs WHERE catalogs.digest = tool_schemas.digest)
    AND NOT EXISTS (SELECT 1 FROM supplied WHERE supplied.digest = tool_schemas.digest)
    """,
)
"""What only a replaced source used: its catalogues and schemas must not serve as alternates."""

# --- rows, from `incoming` -------------------------------------------------------------------

PUT_IGNORED_KINDS: Final = "INSERT INTO ignored_kinds BY NAME SELECT * FROM incoming"
PUT_SESSIONS: Final = "INSERT INTO sessions BY NAME SELECT * FROM incoming"
PUT_CATALOG_USES: Final = "INSERT INTO catalog_uses BY NAME SELECT * FROM incoming"
PUT_CALLS: Final = "INSERT INTO calls BY NAME SELECT * FROM incoming"
PUT_RESULTS: Final = "INSERT INTO results BY NAME SELECT * FROM incoming"
PUT_TEXTS: Final = "INSERT INTO assistant_texts BY NAME SELECT * FROM incoming"
PUT_STREAM_ERRORS: Final = "INSERT INTO stream_errors BY NAME SELECT * FROM incoming"
PUT_UNREADABLE: Final = "INSERT INTO unreadable BY NAME SELECT * FROM incoming"
PUT_SUPPLIED: Final = "INSERT INTO supplied BY NAME SELECT * FROM incoming"

PUT_TOOL_SCHEMAS: Final = """
INSERT INTO tool_schemas BY NAME
SELECT DISTINCT ON (digest) digest, text FROM incoming ANTI JOIN tool_schemas USING (digest)
"""

PUT_CATALOGS: Final = """
INSERT INTO catalogs BY NAME
SELECT catalog, tool, digest FROM incoming ANTI JOIN catalogs USING (catalog, tool)
"""

CLASHING_CALLS: Final = """
SELECT DISTINCT fresh.position, fresh.call_key
FROM calls AS fresh JOIN calls AS other ON other.call_key = fresh.call_key
WHERE fresh.source = $source
AND (other.source <> fresh.source OR other.position < fresh.position)
ORDER BY fresh.position
"""
"""Calls of a source whose short id another call had first."""

CALLS_OF_KEY: Final = "SELECT call FROM calls WHERE call_key = ?"

RENAME_CALL: Final = "UPDATE calls SET call = ? WHERE source = ? AND position = ?"

# --- schemas ---------------------------------------------------------------------------------

TOOL_SCHEMAS: Final = "SELECT digest, text FROM tool_schemas ORDER BY digest"

CATALOGS: Final = "SELECT catalog, tool, digest FROM catalogs ORDER BY catalog, tool"

DROP_SUPPLIED: Final = "DELETE FROM supplied WHERE origin = ? AND name = ?"

NEXT_SUPPLIED: Final = "SELECT coalesce(max(ordinal), 0) + 1 FROM supplied"

SUPPLIED: Final = """
SELECT tool, digest FROM supplied WHERE origin = ? ORDER BY tool, ordinal
"""

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

PAGES: Final = """
CREATE TEMP TABLE pages AS
WITH answers AS (
    SELECT source, call_position, min(position) AS answer, arg_min(size, position) AS size
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
"""Which calls make one batch: at most so many rows, and about so many characters."""

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
    SELECT source, position, is_error, text, error_code FROM results
    WHERE source BETWEEN $first_source AND $last_source
    AND position BETWEEN $first_answer AND $last_answer
),
page_sessions AS (
    SELECT DISTINCT ON (source, session) source, session, harness FROM sessions
    WHERE source BETWEEN $first_source AND $last_source AND harness IS NOT NULL
    ORDER BY source, session, ordinal
)
SELECT c.call, c.session, sources.path, c.tool, c.arguments, c.form, c.streamed, c.dispatched,
    c.catalog, c.finish_reason, s.harness, c.provider, c.model,
    page.answer IS NOT NULL AS has_result, r.is_error, r.text AS result_text, r.error_code
FROM page
JOIN page_calls AS c ON c.source = page.source AND c.position = page.position
JOIN sources ON sources.source = page.source
LEFT JOIN page_results AS r ON r.source = page.source AND r.position = page.answer
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

UNREADABLE_ROWS: Final = """
SELECT sources.path, u.line, u.byte_offset, u.cause
FROM unreadable AS u JOIN sources USING (source)
ORDER BY u.source, u.byte_offset, u.line, u.cause LIMIT ?
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
