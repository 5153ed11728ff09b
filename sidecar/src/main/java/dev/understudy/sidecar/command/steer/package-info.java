/**
 * Commands that want something of running debug JVMs: each orders it of the sidecar, and {@code Following} waits until
 * the agents have done it.
 */
@NullMarked
package dev.understudy.sidecar.command.steer;

import org.jspecify.annotations.NullMarked;
