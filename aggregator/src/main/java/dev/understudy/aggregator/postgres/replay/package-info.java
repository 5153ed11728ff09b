/**
 * The debug side: a PostgreSQL server that has no tables, only what production was told.
 *
 * <pre>
 * debug JVM ─▶ FrontendFramer ─▶ ReplayTurns ─▶ PgDebugSession ─┬─▶ PgLocalAnswers (its own session: BEGIN, SET, SHOW …)
 *           ◀── PgOutlet ◀── RowWriter (formats) ◀──────────────┴─▶ PgAnswers ─▶ journal, ServerFacts
 * </pre>
 *
 * <p>Statements and portals are this connection's own; only text, parameters and results meet production's.
 */
@NullMarked
package dev.understudy.aggregator.postgres.replay;

import org.jspecify.annotations.NullMarked;
