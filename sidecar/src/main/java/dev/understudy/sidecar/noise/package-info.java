/**
 * Noise rules that operators try, add and take back while the sidecar runs.
 *
 * <pre>
 *   control port ── NoiseControl ── AddedRules ─▶ NoiseRules of each debug JVM: lane loops read them
 *                        └── NoiseTrial: a thread of its own reads kept exchanges, and changes nothing
 * </pre>
 */
@NullMarked
package dev.understudy.sidecar.noise;

import org.jspecify.annotations.NullMarked;
