/**
 * Follows an exchange into the tasks that its threads hand to executors, and into what they put into queues.
 *
 * <pre>
 *  ThreadPoolExecutor, ScheduledThreadPoolExecutor,    Told ──▶ Handover.handed, made ──▶ TaskOrigins (task → exchange)
 *  ForkJoinTask, CompletableFuture's stages,      ──▶                                          │
 *  VirtualThread: CarryPoint (the list)                TaskBracket,                            ▼
 *                                                      Redirected ─▶ Handover.run, … ──▶ ServedExchange (a part)
 *  LinkedBlockingQueue …: QueuePoint (the list)       ─▶ Elements.put, taken ──▶ QueueOrigins ──▶ ServedExchange (loose)
 *  servers' own pools and loops: PoolPoint (the list)  as CarryPoint
 *  Kotlin's coroutines: CoroutinePoint (the list)     ─▶ Coroutines.begun, dispatched, resumed ──▶ TaskOrigins, a part
 *  gRPC's server: CallBracket                         ─▶ Calls.bring, tell, closed ──▶ ServedExchange, and parts of it
 * </pre>
 *
 * <p>{@link dev.understudy.agent.carry.CarryCheck} tries all of it once, in the JVM that it runs in.
 */
@NullMarked
package dev.understudy.agent.carry;

import org.jspecify.annotations.NullMarked;
