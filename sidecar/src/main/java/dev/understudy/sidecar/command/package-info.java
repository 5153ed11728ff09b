/**
 * What is typed: {@code understudy COMMAND}, a small class for each, listed in
 * {@link dev.understudy.sidecar.command.Main}.
 *
 * <pre>
 *   Main ─┬─▶ SidecarCommand   starts a Sidecar and stops it at a signal
 *         ├─▶ RecordCommand, InspectCommand, ReplayCommand, ReduceCommand, SimulateCommand   work by themselves
 *         └─▶ live.*           ask and steer what is running
 * </pre>
 *
 * <p>Nothing imports this package.
 */
@NullMarked
package dev.understudy.sidecar.command;

import org.jspecify.annotations.NullMarked;
