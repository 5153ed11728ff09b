/**
 * Production's side: what a client and the server say to each other becomes exchanges.
 *
 * <pre>
 * both directions ─▶ PacketFramer ─▶ MySqlRecorder ─▶ Answering (one for each command) ─▶ MySqlPublication ─▶ journal, facts
 * </pre>
 *
 * <p>A command is looked at when its answer begins: by then all that was asked before it has been answered, and what
 * the session is, is known.
 */
@NullMarked
package dev.understudy.aggregator.mysql.record;

import org.jspecify.annotations.NullMarked;
