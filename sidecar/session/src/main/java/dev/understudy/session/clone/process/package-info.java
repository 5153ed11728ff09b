/**
 * The drivers that make copies, of a process or a container, with its memory or by a second start.
 *
 * <pre>
 * driver ── forecast ──> facts
 *    ├── snapshot ──> checkpoint
 *    └── restore ───> sandbox
 * </pre>
 */
@NullMarked
package dev.understudy.session.clone.process;

import org.jspecify.annotations.NullMarked;
