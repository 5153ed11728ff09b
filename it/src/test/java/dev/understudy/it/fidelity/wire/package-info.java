/** The witness's own readers of the protocols. */
@NullMarked
package dev.understudy.it.fidelity.wire;

import org.jspecify.annotations.NullMarked;
