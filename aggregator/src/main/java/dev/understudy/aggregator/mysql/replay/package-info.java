/**
 * The debug side: a MySQL server that has no tables, only what production was told.
 *
 * <pre>
 * debug JVM ─▶ PacketFramer ─▶ ReplayTurns ─▶ MySqlDebugSession ─┬─▶ Entrance (greeting, any credentials)
 *           ◀── MySqlOutlet ◀── ResultWriter ◀───────────────────┼─▶ MySqlLocalAnswers (its own session: BEGIN, SET …)
 *                                                                └─▶ MySqlAnswers ─▶ journal, ServerFacts
 * </pre>
 *
 * <p>Connection and statement numbers are this side's own; only text, values and results meet production's.
 */
@NullMarked
package dev.understudy.aggregator.mysql.replay;

import org.jspecify.annotations.NullMarked;
