"""The statements that load sources: what is known of them, and their rows from `incoming`."""

from __future__ import annotations

from typing import Final

# --- sources ---------------------------------------------------------------------------------

NEXT_SOURCE: Final = "SELECT coalesce(max(source), 0) + 1 FROM sources"

SOURCES: Final = """
SELECT digest, source, labels, units, records, unreadable, calls, results, texts FROM sources
"""

IGNORED: Final = "SELECT source, kind, n FROM ignored_kinds ORDER BY source, kind"

PATHS: Final = "SELECT path, digest, stamp FROM source_paths ORDER BY rowid"

DROP_PATHS: Final = "DELETE FROM source_paths WHERE list_contains($paths, path)"

PUT_LABELS: Final = "UPDATE sources SET labels = ? WHERE digest = ?"

SHOW_AT_PATH: Final = "UPDATE sources SET path = ? WHERE digest = ?"

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

PUT_SOURCES: Final = "INSERT INTO sources BY NAME SELECT * FROM incoming"
PUT_SOURCE_PATHS: Final = "INSERT INTO source_paths BY NAME SELECT * FROM incoming"
PUT_IGNORED_KINDS: Final = """
INSERT INTO ignored_kinds BY NAME SELECT * EXCLUDE (source_digest) FROM incoming
"""
PUT_SESSIONS: Final = """
INSERT INTO sessions BY NAME SELECT * EXCLUDE (source_digest) FROM incoming
"""
PUT_CATALOG_USES: Final = """
INSERT INTO catalog_uses BY NAME SELECT * EXCLUDE (source_digest) FROM incoming
"""
PUT_CALLS: Final = """
INSERT INTO calls BY NAME
SELECT named.* EXCLUDE (source_digest, name), name[:$digits] AS call,
    ('0x' || name[:$digits])::BIGINT AS call_key,
    strlen(arguments) + coalesce(strlen(streamed), 0) AS size
FROM (SELECT *, sha256(source_digest || ':' || position) AS name FROM incoming) AS named
"""
PUT_RESULTS: Final = """
INSERT INTO results BY NAME
SELECT * EXCLUDE (source_digest), strlen(text) AS size FROM incoming
"""
PUT_TEXTS: Final = """
INSERT INTO assistant_texts BY NAME SELECT * EXCLUDE (source_digest) FROM incoming
"""
PUT_STREAM_ERRORS: Final = """
INSERT INTO stream_errors BY NAME SELECT * EXCLUDE (source_digest) FROM incoming
"""
PUT_UNREADABLE: Final = """
INSERT INTO unreadable BY NAME SELECT * EXCLUDE (source_digest) FROM incoming
"""
PUT_SUPPLIED: Final = "INSERT INTO supplied BY NAME SELECT * FROM incoming"

PUT_TOOL_SCHEMAS: Final = """
INSERT INTO tool_schemas BY NAME
SELECT DISTINCT ON (digest) digest, text FROM incoming ANTI JOIN tool_schemas USING (digest)
ORDER BY digest
"""

PUT_CATALOGS: Final = """
INSERT INTO catalogs BY NAME
SELECT DISTINCT catalog, tool, digest FROM incoming ANTI JOIN catalogs USING (catalog, tool)
ORDER BY catalog, tool
"""

CLASHING_CALLS: Final = """
SELECT DISTINCT fresh.source, fresh.position, fresh.call_key
FROM calls AS fresh JOIN calls AS other ON other.call_key = fresh.call_key
WHERE list_contains($sources, fresh.source) AND (
    NOT list_contains($sources, other.source)
    OR (other.source, other.position) < (fresh.source, fresh.position)
)
ORDER BY fresh.source, fresh.position
"""
"""Calls of these sources whose short id another call had first."""

CALLS_OF_KEY: Final = "SELECT call FROM calls WHERE call_key = ?"

RENAME_CALL: Final = "UPDATE calls SET call = ? WHERE source = ? AND position = ?"
