/**
 * Where a copy runs: mounts, processes and network of its own, with less of the processor than production.
 *
 * <pre>
 * Sandbox ──> restore.sh ─> criu restore, or start.sh ─> the command
 *    └── ContainerSandbox ──> container.sh ─> runc
 * </pre>
 */
@NullMarked
package dev.understudy.session.clone.sandbox;

import org.jspecify.annotations.NullMarked;
