/**
 * Probes, budget and statistics inside the debug JVM.
 */
@NullMarked
package dev.understudy.agent;

import org.jspecify.annotations.NullMarked;
