/**
 * Whether a listener's input is copied, and which part of it.
 *
 * <pre>
 *   control port ──▶ TeeSwitch (one volatile) ◀── asked before each read ── relay loop
 *                        │                                                     │
 *                        ▼                                                     ▼
 *                     TeeTarget (the lanes) ◀── FanOut, one tap for several ── Tee ── Sampling: this connection?
 *                        │ Sampling: this request?
 *                        │ RequestStart: may what follows be a request?
 * </pre>
 *
 * <p>A relay loop reads the switch and hashes a number; it parses nothing. What is joined in the middle is looked at
 * behind the tap, on a lane loop.
 */
@NullMarked
package dev.understudy.sidecar.tee;

import org.jspecify.annotations.NullMarked;
