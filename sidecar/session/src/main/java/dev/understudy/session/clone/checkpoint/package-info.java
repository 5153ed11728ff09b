/**
 * The snapshot of a process by stock CRIU, while production stands still.
 *
 * <pre>
 * Checkpoint ──> dump.sh ──> criu dump ──> frozen.sh (production stands still)
 *      │                         └──> EngineEnd: what is left of it at the limit
 *      └──> CriuImages ──> FrozenFiles: each file as it was
 * </pre>
 */
@NullMarked
package dev.understudy.session.clone.checkpoint;

import org.jspecify.annotations.NullMarked;
