/**
 * One trace for each exchange.
 *
 * <pre>
 *   exchange ├───────────────────────────────────┤    what was asked, and the verdict
 *     production ├──────────┤                         from the request's arrival to the reply's end
 *     debug           ├──────────────────────────┤    from delivery to the reply's end; divergences are its events
 *       (the agent's method spans)
 * </pre>
 *
 * <p>{@link dev.understudy.sidecar.trace.TraceIds} are drawn when a request is framed, since the debug JVM is told its
 * span before that span can be written; {@link dev.understudy.sidecar.trace.Tracing} writes all three once the verdict
 * is known, through a queue that drops and counts but never blocks.
 */
@NullMarked
package dev.understudy.sidecar.trace;

import org.jspecify.annotations.NullMarked;
