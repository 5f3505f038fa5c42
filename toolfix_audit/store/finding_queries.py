"""Statements for what stands beside the calls: texts, results, failed streams, and their pairs.

What is worth a look is settled first, by patterns that the database searches for itself, each
thing once however many files tell of it; then it is fetched page by page.
"""

from __future__ import annotations

from typing import Final

DROP: Final = """
DROP TABLE IF EXISTS finding_matches;
DROP TABLE IF EXISTS finding_pages;
DROP TABLE IF EXISTS finding_gone
"""

PAGE_BOUNDS: Final = """
SELECT page, min(source), max(source) FROM finding_pages GROUP BY page ORDER BY page
"""

MATCH_TEXTS: Final = """
CREATE TEMP TABLE finding_matches AS
SELECT source, position, session, inherited, md5(text) || reasoning AS told, strlen(text) AS size
FROM assistant_texts WHERE regexp_matches(text, $pattern)
"""

MATCH_CALLS: Final = """
CREATE TEMP TABLE finding_matches AS
SELECT source, position, session, inherited,
    md5(concat_ws(chr(31), coalesce(call_id, ''), tool, arguments)) AS told, size
FROM calls WHERE regexp_matches(tool, $pattern) OR regexp_matches(arguments, $pattern)
"""

MATCH_RESULTS: Final = """
CREATE TEMP TABLE finding_matches AS
SELECT source, position, session, inherited,
    md5(concat_ws(chr(31), coalesce(call_id, ''), text, blocks)) AS told,
    size + coalesce(strlen(blocks), 0) AS size
FROM results
WHERE (regexp_matches(text, $head) AND regexp_matches(text, $marks))
OR (blocks IS NOT NULL AND regexp_matches(blocks, $marks))
"""

MATCH_SHAPES: Final = """
CREATE TEMP TABLE finding_matches AS
SELECT source, position, session, inherited,
    md5(concat_ws(chr(31), coalesce(call_id, ''), blocks)) AS told, strlen(blocks) AS size
FROM results WHERE blocks IS NOT NULL AND CASE
    WHEN NOT json_valid(blocks) THEN false
    WHEN json_type(blocks) = 'ARRAY' THEN json_array_length(blocks) = 0
        OR list_contains(
            list_transform(json_extract(blocks, '$[*]'), lambda part: json_exists(part, '$.type')),
            false
        )
    ELSE json_exists(blocks, '$.structuredContent') OR json_exists(blocks, '$.type')
END
"""

# What several files tell of one session counts as often as in the one that tells it most often. A
# copy of earlier history counts where nothing else tells of it: neither its own session nor, where
# that was read, the parent.
PAGES: Final = """
CREATE TEMP TABLE finding_pages AS
WITH copied AS (SELECT session FROM forks SEMI JOIN sessions ON sessions.session = forks.parent),
counted AS (
    SELECT *, CASE WHEN inherited THEN 1 ELSE row_number() OVER (
        PARTITION BY source, session, told, inherited ORDER BY position
    ) END AS nth
    FROM finding_matches WHERE NOT inherited OR session NOT IN (SELECT session FROM copied)
),
once AS (
    SELECT source, position, counted.size FROM counted JOIN sources USING (source)
    QUALIFY row_number() OVER (
        PARTITION BY session, told, nth
        ORDER BY inherited, sources.path, sources.digest, position
    ) = 1
)
SELECT source, position,
    (row_number() OVER (ORDER BY source, position) - 1) // $rows
        + sum(size) OVER (ORDER BY source, position ROWS UNBOUNDED PRECEDING) // $size AS page
FROM once ORDER BY source, position
"""

TEXTS: Final = """
WITH found AS (
    SELECT texts.* FROM assistant_texts AS texts JOIN finding_pages AS pages
        ON pages.source = texts.source AND pages.position = texts.position
    WHERE pages.page = $page AND texts.source BETWEEN $first AND $last
),
called AS (
    SELECT source, session, list(DISTINCT tool ORDER BY tool) AS tools
    FROM calls SEMI JOIN found ON found.source = calls.source AND found.session = calls.session
    WHERE source BETWEEN $first AND $last AND NOT dispatched GROUP BY source, session
),
headed AS (
    SELECT DISTINCT ON (source, session) source, session, harness, version FROM sessions
    WHERE source BETWEEN $first AND $last AND harness IS NOT NULL
    ORDER BY source, session, ordinal
)
SELECT found.source, found.position, found.session, sources.path, sources.digest, found.text,
    found.reasoning, found.has_calls, found.finish_reason, found.model, uses.catalog,
    headed.harness, headed.version, called.tools
FROM found JOIN sources ON sources.source = found.source
ASOF LEFT JOIN catalog_uses AS uses ON uses.source = found.source
    AND uses.session = found.session AND found.position >= uses.position
LEFT JOIN headed ON headed.source = found.source AND headed.session = found.session
LEFT JOIN called ON called.source = found.source AND called.session = found.session
ORDER BY found.source, found.position
"""

CALLS: Final = """
WITH found AS (
    SELECT calls.* FROM calls JOIN finding_pages AS pages
        ON pages.source = calls.source AND pages.position = calls.position
    WHERE pages.page = $page AND calls.source BETWEEN $first AND $last
),
called AS (
    SELECT source, session, list(DISTINCT tool ORDER BY tool) AS tools
    FROM calls SEMI JOIN found ON found.source = calls.source AND found.session = calls.session
    WHERE source BETWEEN $first AND $last AND NOT dispatched GROUP BY source, session
),
headed AS (
    SELECT DISTINCT ON (source, session) source, session, harness, version FROM sessions
    WHERE source BETWEEN $first AND $last AND harness IS NOT NULL
    ORDER BY source, session, ordinal
)
SELECT found.call, found.session, sources.path, found.tool, found.arguments, found.model,
    found.catalog, headed.harness, headed.version, called.tools
FROM found JOIN sources ON sources.source = found.source
LEFT JOIN headed ON headed.source = found.source AND headed.session = found.session
LEFT JOIN called ON called.source = found.source AND called.session = found.session
ORDER BY found.source, found.position
"""

RESULTS: Final = """
WITH found AS (
    SELECT results.* FROM results JOIN finding_pages AS pages
        ON pages.source = results.source AND pages.position = results.position
    WHERE pages.page = $page AND results.source BETWEEN $first AND $last
)
SELECT found.position, found.session, sources.path, sources.digest, found.call_id,
    found.is_error, found.text, found.blocks, calls.call, calls.tool, calls.model
FROM found JOIN sources ON sources.source = found.source
LEFT JOIN calls ON calls.source = found.source AND calls.position = found.call_position
ORDER BY found.source, found.position
"""

TURNS: Final = """
SELECT position, part, finish_reason, has_calls FROM (
    SELECT position, CASE WHEN reasoning THEN 'reasoning' ELSE 'text' END AS part, finish_reason,
        has_calls
    FROM assistant_texts WHERE source = $source AND session = $session AND NOT inherited
    UNION ALL
    SELECT position, 'call', finish_reason, true FROM calls
    WHERE source = $source AND session = $session AND NOT inherited AND NOT dispatched
    UNION ALL
    SELECT position, 'result', NULL, false FROM results
    WHERE source = $source AND session = $session
)
ORDER BY position
"""
"""One session, in order: who spoke when. Only results may be copies: in some logs they all are."""

STREAMS: Final = """
WITH failed AS (SELECT DISTINCT source, session FROM stream_errors),
spoke AS (
    SELECT source, session, position, model
    FROM assistant_texts SEMI JOIN failed USING (source, session) WHERE model IS NOT NULL
    UNION ALL
    SELECT source, session, position, model
    FROM calls SEMI JOIN failed USING (source, session) WHERE model IS NOT NULL
),
counted AS (
    SELECT errors.*, spoke.model, row_number() OVER (
        PARTITION BY errors.source, errors.session, errors.shown, errors.code, errors.raw
        ORDER BY errors.position
    ) AS nth
    FROM stream_errors AS errors
    ASOF LEFT JOIN spoke ON spoke.source = errors.source AND spoke.session = errors.session
        AND errors.position >= spoke.position
)
SELECT counted.position, session, path, digest, shown, code, raw, model
FROM counted JOIN sources USING (source)
QUALIFY row_number() OVER (
    PARTITION BY session, shown, code, raw, nth ORDER BY path, digest, counted.position
) = 1
ORDER BY path, digest, counted.position
"""
"""Every failed stream once, with the model that spoke last before it."""

PAIR_PAGES: Final = """
CREATE TEMP TABLE finding_pages AS
WITH lasts AS (
    SELECT source, session, max(position) AS position FROM (
        SELECT source, session, position FROM assistant_texts
        UNION ALL SELECT source, session, position FROM results
    ) GROUP BY source, session
),
odd AS (
    SELECT source, session FROM results
    WHERE call_position IS NULL OR call_position > position
    UNION
    SELECT source, session FROM results WHERE call_position IS NOT NULL
    GROUP BY source, session, call_position HAVING count(*) > 1
    UNION
    SELECT source, session FROM calls WHERE call_id IS NOT NULL
    GROUP BY source, session, call_id HAVING count(*) > 1
    UNION
    SELECT calls.source, calls.session
    FROM calls JOIN lasts ON lasts.source = calls.source AND lasts.session = calls.session
        AND lasts.position > calls.position
    ANTI JOIN results
        ON results.source = calls.source AND results.call_position = calls.position
)
SELECT source, session, count(*) OVER (PARTITION BY session) > 1 AS is_split,
    (row_number() OVER (ORDER BY source, session) - 1) // $rows AS page
FROM odd ORDER BY source, session
"""
"""The sessions in which calls and results may not match, told by cheap signs."""

GONE: Final = """
CREATE TEMP TABLE finding_gone AS
SELECT calls.source, calls.position
FROM set_aside JOIN calls
    ON calls.source = set_aside.source AND calls.position = set_aside.position
SEMI JOIN (SELECT source, session FROM calls WHERE inherited) AS repeating
    ON repeating.source = calls.source AND repeating.session = calls.session
"""
"""Calls that a session tells again, where it repeats its own history or that of its parent."""

PAIRS: Final = """
WITH here AS (SELECT * FROM finding_pages WHERE page = $page),
copied AS (SELECT session FROM forks SEMI JOIN sessions ON sessions.session = forks.parent),
gone AS (SELECT * FROM finding_gone WHERE source BETWEEN $first AND $last),
acts AS (
    SELECT source, session, position, 'call' AS part, call_id, NULL AS call_position, tool, model,
        call, inherited
    FROM calls ANTI JOIN gone USING (source, position)
    WHERE source BETWEEN $first AND $last
    UNION ALL
    SELECT results.source, session, results.position, 'result', call_id, call_position, NULL,
        NULL, NULL, inherited
    FROM results ANTI JOIN gone
        ON gone.source = results.source AND gone.position = results.call_position
    WHERE results.source BETWEEN $first AND $last
    QUALIFY NOT inherited OR call_position IS NOT NULL OR row_number() OVER (
        PARTITION BY results.source, session, call_id, call_position ORDER BY results.position
    ) = 1
    UNION ALL
    SELECT source, session, position, 'text', NULL, NULL, NULL, NULL, NULL, inherited
    FROM assistant_texts WHERE source BETWEEN $first AND $last AND NOT inherited
)
SELECT source, session, path, digest, acts.position, part, call_id, call_position, tool, model,
    call, acts.inherited AND session IN (SELECT session FROM copied) AS is_copy, is_split
FROM acts JOIN here USING (source, session) JOIN sources USING (source)
ORDER BY source, session, acts.position
"""
"""The acts of those sessions: each call once, and a result without a call once however often the
session repeats it."""

# --- one call --------------------------------------------------------------------------------

RESULTS_OF: Final = """
CREATE TEMP TABLE finding_pages AS
SELECT source, position, 0 AS page FROM results
WHERE source = $source AND call_position = $position
"""

SESSION_OF: Final = """
CREATE TEMP TABLE finding_pages AS
SELECT $source::INTEGER AS source, $session::VARCHAR AS session, false AS is_split, 0 AS page
"""
