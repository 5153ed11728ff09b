/**
 * Recorded connections sent again: to another address, whose replies are compared with the recorded ones, or through
 * lanes, as if the relay read them again.
 *
 * <pre>
 *   file ─▶ Contents ─▶ Replay ─▶ ReplayedConnection (a thread each) ═══ socket
 *                                        └▶ Replies ─▶ Outcome
 *   file ─▶ Contents ─▶ Playback ─▶ PlaybackCursor (one a connection) ─▶ lanes ─▶ verdicts
 * </pre>
 */
@NullMarked
package dev.understudy.sidecar.replay;

import org.jspecify.annotations.NullMarked;
