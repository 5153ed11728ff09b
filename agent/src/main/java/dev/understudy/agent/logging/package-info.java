/**
 * Which logging frameworks tell the agent of errors that an application logs. Nothing of them is called but an event's
 * level.
 */
@NullMarked
package dev.understudy.agent.logging;

import org.jspecify.annotations.NullMarked;
