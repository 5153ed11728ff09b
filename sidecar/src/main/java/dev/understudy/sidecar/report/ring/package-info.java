/**
 * The file in which an agent keeps the latest of what it saw and decided, read whatever state it is in.
 *
 * <p>The agent's package {@code ring} writes it and tells the format; neither side imports the other, and a ring in
 * hexadecimal that both test against keeps them together.
 */
@NullMarked
package dev.understudy.sidecar.report.ring;

import org.jspecify.annotations.NullMarked;
