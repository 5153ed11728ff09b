/**
 * Live copies of a process of this machine, made with stock CRIU.
 *
 * <pre>
 * ProcessDriver ── forecast ──> MachineFacts, ProcessFacts ──> ForecastChecks
 *       │
 *       ├── snapshot ──> Checkpoint ──> dump.sh ──> criu dump ──> frozen.sh (production stands still)
 *       │                     └──> FrozenFiles: each file as it was
 *       └── restore ───> Sandbox ────> restore.sh ─> criu restore
 * </pre>
 */
@NullMarked
package dev.understudy.session.clone.process;

import org.jspecify.annotations.NullMarked;
