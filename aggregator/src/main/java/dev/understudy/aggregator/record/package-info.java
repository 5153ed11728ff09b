/**
 * Production's side: a relay's tap becomes recorded exchanges.
 *
 * <pre>
 * relay tap ──▶ Lane ──▶ RecordingObserver ──▶ ConnectionRecorder (one per protocol and connection) ──▶ Recording ──▶ journal
 * </pre>
 *
 * <p>All of it runs on lane loops; the relay never waits for it. What can't be recorded is counted by
 * {@link dev.understudy.aggregator.record.Unrecorded}.
 */
@NullMarked
package dev.understudy.aggregator.record;

import org.jspecify.annotations.NullMarked;
