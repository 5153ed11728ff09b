/**
 * A bundle that is replayed: an aggregator answers from its journals, and a service is started beside that.
 *
 * <pre>
 *   BundleReplayCommand ──▶ BundleAggregator (nothing is recorded, no upstream is dialled) ◀── calls ── the service
 *          └──▶ Placeholders ──▶ ReplayProgram: the service ◀── the recording
 * </pre>
 */
@NullMarked
package dev.understudy.session.bundle.replay;

import org.jspecify.annotations.NullMarked;
