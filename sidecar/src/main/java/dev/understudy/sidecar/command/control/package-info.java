/**
 * What commands share: how they ask a running program's control port, and how they end.
 *
 * <p>A command's options say whom to ask ({@code ControlOptions}, {@code AggregatorOptions}); {@code ControlClient}
 * asks, and makes one line of what goes wrong.
 */
@NullMarked
package dev.understudy.sidecar.command.control;

import org.jspecify.annotations.NullMarked;
