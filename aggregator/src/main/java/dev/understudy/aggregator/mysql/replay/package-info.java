/**
 * The debug side: a MySQL server that has no tables, only what production was told.
 *
 * <pre>
 *   debug JVM ─▶ PacketFramer ─▶ Turns ─▶ DebugSession ─┬─▶ Entrance (greeting, any credentials)
 *             ◀── Outlet ◀── ResultWriter ◀─────────────┼─▶ LocalAnswers (its own session: BEGIN, SET, USE …)
 *                                                       └─▶ Answers ─▶ journal, ServerFacts
 * </pre>
 *
 * <p>Connection and statement numbers are this side's own; only text, values and results meet production's.
 */
@NullMarked
package dev.understudy.aggregator.mysql.replay;

import org.jspecify.annotations.NullMarked;
