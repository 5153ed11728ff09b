/**
 * Commands that tell what a session came to, from what the control port says: a report, and rules about noise.
 */
@NullMarked
package dev.understudy.sidecar.command.report;

import org.jspecify.annotations.NullMarked;
