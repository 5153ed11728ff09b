/**
 * Recorded connections sent again, to another address, and the replies compared with the recorded ones.
 *
 * <pre>
 *   file ─▶ Contents ─▶ Replay ─▶ ReplayedConnection (a thread each) ═══ socket
 *                                        └▶ Replies ─▶ Outcome
 * </pre>
 */
@NullMarked
package dev.understudy.sidecar.replay;

import org.jspecify.annotations.NullMarked;
