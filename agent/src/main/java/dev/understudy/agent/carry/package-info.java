/**
 * Follows an exchange into the tasks that its threads hand to the JDK's executors.
 *
 * <pre>
 *   ThreadPoolExecutor, ScheduledThreadPoolExecutor,     Told ───────▶ Handover.handed, made ──▶ Handed (task → exchange)
 *   ForkJoinTask, CompletableFuture's stages,      ──▶                                               │
 *   VirtualThread: CarryPoint (the list)                 TaskBracket,                                ▼
 *                                                        Redirected ─▶ Handover.run, execute … ──▶ Exchange (a part)
 * </pre>
 *
 * <p>{@link dev.understudy.agent.carry.CarryCheck} tries all of it once, in the JVM that it runs in.
 */
@NullMarked
package dev.understudy.agent.carry;

import org.jspecify.annotations.NullMarked;
