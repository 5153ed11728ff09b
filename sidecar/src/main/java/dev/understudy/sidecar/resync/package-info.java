/**
 * Brings a debug JVM back into production's state once it has drifted away (thesis, section 3.2.5).
 *
 * <pre>
 *  Triggers ──cause──▶ Resync: cut its lanes ─▶ Step, Step … ─▶ go on ─▶ Epoch
 * </pre>
 */
@NullMarked
package dev.understudy.sidecar.resync;

import org.jspecify.annotations.NullMarked;
