/**
 * Production's process: it accepts, relays and taps, and holds nothing of the debug side.
 *
 * <pre>
 *   client ─▶ Listener ═══════════════════════▶ production
 *                │ tap
 *                ▼
 *        rings and control block ═▶ lane process (understudy lanes), started and watched by LaneSupervisor
 * </pre>
 *
 * <p>The lane process may be killed, stopped or out of memory: nothing here waits for it, and it is started again.
 */
@NullMarked
package dev.understudy.sidecar.tap;

import org.jspecify.annotations.NullMarked;
