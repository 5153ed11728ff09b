/**
 * What is run in JVMs with and without agents, to know what looking costs ({@code it/bench agent}).
 *
 * <pre>
 *   bench.agent.WorkerJvm ──stdin──▶ Worker ──▶ Armed (gates, periods) ──▶ work.Work, again and again
 *                         ◀─stdout──    └─ so many operations, in so much CPU time
 * </pre>
 *
 * <p>{@link dev.understudy.it.overhead.WeavingOnly} brings the product's place-holders and probes without its governor,
 * so that gates and periods stand where a row of a table says.
 */
@NullMarked
package dev.understudy.it.overhead;

import org.jspecify.annotations.NullMarked;
