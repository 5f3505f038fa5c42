"""Tables and views of the store.

No bulk table has a primary key: an index would slow the load and hold memory. What must be
unique is made so by the loader, inside the transaction of its source; `call_key` is a call's short
id as a number, since numbers are found five times faster than texts. `source` is a small number
that also gives the order of the sources; a source's digest stands once, in `sources`.

Long texts are not compressed: trying the ways to do it takes several times as long as reading the
log they come from.
"""

from __future__ import annotations

from typing import Final

SCHEMA_VERSION: Final = 3
"""Raised with every change of the tables and views; a store of another version is refused."""

_META = """
CREATE TABLE meta (schema_version INTEGER NOT NULL, tool_version VARCHAR NOT NULL)
"""

_SOURCES = """
CREATE TABLE sources (
    source INTEGER NOT NULL, digest VARCHAR NOT NULL, path VARCHAR NOT NULL,
    format VARCHAR NOT NULL, size BIGINT NOT NULL, labels VARCHAR NOT NULL,
    units BIGINT NOT NULL, records BIGINT NOT NULL, ignored BIGINT NOT NULL,
    unreadable BIGINT NOT NULL, calls BIGINT NOT NULL, results BIGINT NOT NULL,
    texts BIGINT NOT NULL
)
"""

# Every path at which a content was seen: a rotated log keeps its content under a new name. `stamp`
# is the file's status of then; while it stays, the file need not be read to know it unchanged.
_SOURCE_PATHS = """
CREATE TABLE source_paths (path VARCHAR NOT NULL, digest VARCHAR NOT NULL, stamp VARCHAR)
"""

_IGNORED_KINDS = """
CREATE TABLE ignored_kinds (source INTEGER NOT NULL, kind VARCHAR NOT NULL, n BIGINT NOT NULL)
"""

_SESSIONS = """
CREATE TABLE sessions (
    source INTEGER NOT NULL, ordinal BIGINT NOT NULL, session VARCHAR NOT NULL, harness VARCHAR,
    version VARCHAR, started VARCHAR, parent VARCHAR, seed_length BIGINT
)
"""

_TOOL_SCHEMAS = """
CREATE TABLE tool_schemas (digest VARCHAR NOT NULL, text VARCHAR NOT NULL)
"""

_CATALOGS = """
CREATE TABLE catalogs (catalog VARCHAR NOT NULL, tool VARCHAR NOT NULL, digest VARCHAR)
"""

_CATALOG_USES = """
CREATE TABLE catalog_uses (
    source INTEGER NOT NULL, session VARCHAR NOT NULL, position BIGINT NOT NULL,
    catalog VARCHAR NOT NULL
)
"""

_SUPPLIED = """
CREATE TABLE supplied (
    origin VARCHAR NOT NULL, name VARCHAR NOT NULL, ordinal BIGINT NOT NULL,
    tool VARCHAR NOT NULL, digest VARCHAR
)
"""

_CALLS = """
CREATE TABLE calls (
    source INTEGER NOT NULL, position BIGINT NOT NULL, call VARCHAR NOT NULL,
    session VARCHAR NOT NULL, call_id VARCHAR, tool VARCHAR NOT NULL,
    arguments VARCHAR NOT NULL USING COMPRESSION uncompressed, form VARCHAR NOT NULL,
    streamed VARCHAR USING COMPRESSION uncompressed, model VARCHAR, provider VARCHAR, time VARCHAR,
    finish_reason VARCHAR, event BIGINT, inherited BOOLEAN NOT NULL, dispatched BOOLEAN NOT NULL,
    catalog VARCHAR, size BIGINT NOT NULL, call_key BIGINT NOT NULL
)
"""

_RESULTS = """
CREATE TABLE results (
    source INTEGER NOT NULL, position BIGINT NOT NULL, session VARCHAR NOT NULL,
    call_position BIGINT, call_id VARCHAR, is_error BOOLEAN NOT NULL,
    text VARCHAR NOT NULL USING COMPRESSION uncompressed,
    blocks VARCHAR USING COMPRESSION uncompressed, error_name VARCHAR, error_code VARCHAR,
    inherited BOOLEAN NOT NULL, size BIGINT NOT NULL
)
"""

_ASSISTANT_TEXTS = """
CREATE TABLE assistant_texts (
    source INTEGER NOT NULL, position BIGINT NOT NULL, session VARCHAR NOT NULL,
    text VARCHAR NOT NULL USING COMPRESSION uncompressed, reasoning BOOLEAN NOT NULL,
    finish_reason VARCHAR, model VARCHAR, provider VARCHAR, has_calls BOOLEAN NOT NULL,
    inherited BOOLEAN NOT NULL
)
"""

_STREAM_ERRORS = """
CREATE TABLE stream_errors (
    source INTEGER NOT NULL, position BIGINT NOT NULL, session VARCHAR NOT NULL,
    shown VARCHAR NOT NULL, code VARCHAR, raw VARCHAR USING COMPRESSION uncompressed
)
"""

_UNREADABLE = """
CREATE TABLE unreadable (
    source INTEGER NOT NULL, line BIGINT NOT NULL, byte_offset BIGINT NOT NULL,
    cause VARCHAR NOT NULL
)
"""

_RUNS = """
CREATE TABLE runs (
    ordinal BIGINT NOT NULL, run VARCHAR NOT NULL, started VARCHAR, spec VARCHAR NOT NULL,
    report VARCHAR
)
"""

_OUTCOMES = """
CREATE TABLE outcomes (
    run VARCHAR NOT NULL, call VARCHAR NOT NULL, session VARCHAR NOT NULL, path VARCHAR NOT NULL,
    tool VARCHAR NOT NULL, resolved VARCHAR, provider VARCHAR, model VARCHAR,
    outcome VARCHAR NOT NULL, reason VARCHAR, opt_in VARCHAR, origin VARCHAR, schema VARCHAR,
    host VARCHAR NOT NULL, families VARCHAR[] NOT NULL, suspected VARCHAR, depth INTEGER NOT NULL,
    before VARCHAR NOT NULL, after VARCHAR,
    steps STRUCT(
        family VARCHAR, action VARCHAR, pointer VARCHAR, before VARCHAR, after VARCHAR
    )[] NOT NULL,
    violations_before VARCHAR[] NOT NULL, violations_after VARCHAR[] NOT NULL,
    left_alone VARCHAR[] NOT NULL, suspicions VARCHAR[] NOT NULL, findings VARCHAR[] NOT NULL,
    shape VARCHAR NOT NULL,
    probes STRUCT(
        kind VARCHAR, families VARCHAR[], convicted BOOLEAN, detail VARCHAR
    )[] NOT NULL
)
"""

_STEPS = """
CREATE TABLE steps (
    run VARCHAR NOT NULL, call VARCHAR NOT NULL, ordinal BIGINT NOT NULL, family VARCHAR,
    action VARCHAR, pointer VARCHAR, before VARCHAR, after VARCHAR
)
"""

_PROBES = """
CREATE TABLE probes (
    run VARCHAR NOT NULL, call VARCHAR NOT NULL, ordinal BIGINT NOT NULL, kind VARCHAR,
    families VARCHAR[], convicted BOOLEAN, detail VARCHAR
)
"""

# One header per session: the first that names a parent.
_FORKS = """
CREATE VIEW forks AS
SELECT DISTINCT ON (session) session, parent, seed_length
FROM sessions
WHERE parent IS NOT NULL AND parent <> session
ORDER BY session, source, ordinal
"""

# The sessions that a fork's copied events may come from. `below` is the least seed length on the
# way up: an event with a smaller number passed through every fork between. Cycles end with hops.
_ANCESTORS = """
CREATE VIEW ancestors AS
WITH RECURSIVE walk (session, owner, below, hops) AS (
    SELECT session, parent, coalesce(seed_length, 9223372036854775807), 1 FROM forks
    UNION ALL
    SELECT walk.session, forks.parent, least(walk.below, forks.seed_length), walk.hops + 1
    FROM walk JOIN forks ON forks.session = walk.owner
    WHERE forks.seed_length > 0 AND walk.hops < 1000
)
SELECT session, owner, below, hops FROM walk
"""

# Whose call it is. The reader decides what is a copy (`inherited`), the numbers how far up it
# comes from. `spare` stands in where the log numbers no events.
_OWNED_CALLS = """
CREATE VIEW owned_calls AS
SELECT source, position, inherited, session AS owner, event,
    CASE WHEN event IS NULL THEN position END AS spare
FROM calls WHERE NOT inherited
UNION ALL
SELECT calls.source, calls.position, true,
    coalesce(arg_max(ancestors.owner, ancestors.hops), any_value(calls.session)),
    any_value(calls.event),
    any_value(CASE WHEN calls.event IS NULL THEN calls.position END)
FROM calls LEFT JOIN ancestors
    ON ancestors.session = calls.session
    AND (ancestors.hops = 1 OR coalesce(calls.event, calls.position) < ancestors.below)
WHERE calls.inherited
GROUP BY calls.source, calls.position
"""

# Rows that tell of a call which another row tells of already. A row with a result goes before one
# without, an original before a copy, then the first by path and place: whatever the order in which
# files came. A lasting number (below 0) names its call in whatever session. Without event numbers
# a like position is weak evidence, so that time and model must agree too.
_SET_ASIDE = """
CREATE VIEW set_aside AS
WITH owned AS MATERIALIZED (
    SELECT * REPLACE (CASE WHEN event < 0 THEN '' ELSE owner END AS owner) FROM owned_calls
),
crowded AS (
    SELECT owner, event, spare FROM owned GROUP BY owner, event, spare HAVING count(*) > 1
),
suspects AS (
    SELECT owned.* FROM owned JOIN crowded
        ON owned.owner = crowded.owner
        AND owned.event IS NOT DISTINCT FROM crowded.event
        AND owned.spare IS NOT DISTINCT FROM crowded.spare
),
answered AS (
    SELECT DISTINCT source, call_position AS position FROM results
    SEMI JOIN suspects
        ON suspects.source = results.source AND suspects.position = results.call_position
)
SELECT source, position FROM (
    SELECT suspects.source, suspects.position, row_number() OVER (
        PARTITION BY suspects.owner, suspects.event, suspects.spare,
            calls.call_id, calls.tool, calls.arguments,
            CASE WHEN calls.event IS NULL THEN [calls.time, calls.provider, calls.model] END
        ORDER BY answered.source IS NULL, suspects.inherited, sources.path, sources.digest,
            suspects.position
    ) AS place
    FROM suspects JOIN calls
        ON calls.source = suspects.source AND calls.position = suspects.position
    JOIN sources ON sources.source = suspects.source
    LEFT JOIN answered
        ON answered.source = suspects.source AND answered.position = suspects.position
) WHERE place > 1
"""

_KEPT_CALLS = """
CREATE VIEW kept_calls AS
SELECT calls.* FROM calls ANTI JOIN set_aside
    ON set_aside.source = calls.source AND set_aside.position = calls.position
"""

_KEPT_RESULTS = """
CREATE VIEW kept_results AS
SELECT results.* FROM results ANTI JOIN set_aside
    ON set_aside.source = results.source AND set_aside.position = results.call_position
"""

TABLES: Final = (
    _META,
    _SOURCES,
    _SOURCE_PATHS,
    _IGNORED_KINDS,
    _SESSIONS,
    _TOOL_SCHEMAS,
    _CATALOGS,
    _CATALOG_USES,
    _SUPPLIED,
    _CALLS,
    _RESULTS,
    _ASSISTANT_TEXTS,
    _STREAM_ERRORS,
    _UNREADABLE,
    _RUNS,
    _OUTCOMES,
    _STEPS,
    _PROBES,
)
"""The statements that make the tables of an empty store."""

VIEWS: Final = (
    _FORKS,
    _ANCESTORS,
    _OWNED_CALLS,
    _SET_ASIDE,
    _KEPT_CALLS,
    _KEPT_RESULTS,
)
"""The statements that make the views, each after those that it reads."""
