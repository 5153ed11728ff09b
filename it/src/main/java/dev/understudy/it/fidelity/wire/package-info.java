/**
 * What tools that print no answers got, from the bytes themselves. Reads the protocols on its own, and shares nothing
 * with the code whose answers it judges.
 */
@NullMarked
package dev.understudy.it.fidelity.wire;

import org.jspecify.annotations.NullMarked;
