/**
 * What the operator wants of the debug JVMs while they run.
 *
 * <pre>
 * command ──PUT, POST──▶ control ──▶ Orders ──revision──▶ /v1/window ──▶ agent ──GET /v1/orders──▶ done, told in its report
 * </pre>
 */
@NullMarked
package dev.understudy.sidecar.steer;

import org.jspecify.annotations.NullMarked;
