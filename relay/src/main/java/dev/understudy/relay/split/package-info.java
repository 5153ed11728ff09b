/**
 * A proxy in two processes, so that production's holds bytes and nothing else.
 *
 * <pre>
 *   client ─▶ Listener ═══════════════════════▶ production     SplitProxy, TapProcess
 *                │ tap
 *                ▼
 *        rings and control block ─▶ TapSource ─▶ taps          the child, started and watched by ChildSupervisor
 * </pre>
 *
 * <p>The child may be killed, stopped or out of memory: nothing in the tap process waits for it, and it is started
 * again. It hears of its parent by {@link ParentOrders} alone.
 */
@NullMarked
package dev.understudy.relay.split;

import org.jspecify.annotations.NullMarked;
