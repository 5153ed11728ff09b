/**
 * How the two proxies' logs are written: as text by slf4j-simple, or as one JSON object a line.
 *
 * <pre>
 *   LOG.warn("listener {}, connection {}: …, reason {}") ──▶ JsonLogger ──▶ LogLine ─┐
 *                                                       ──▶ slf4j-simple ───────────┴─▶ PatientErr ──▶ LogQueue
 *                                          understudy-log ◀──────────────────────────────────────────────┘
 *                                                └──▶ standard error
 * </pre>
 *
 * <p>Both are chosen before the first logger is made: {@link dev.understudy.relay.log.LogFormat#use}.
 */
@NullMarked
package dev.understudy.relay.log;

import org.jspecify.annotations.NullMarked;
