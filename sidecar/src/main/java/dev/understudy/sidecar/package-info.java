/**
 * The duplicator: tees inbound traffic to the debug JVM, compares, controls.
 */
@NullMarked
package dev.understudy.sidecar;

import org.jspecify.annotations.NullMarked;
