/** The program: one process, or one that relays and one that records. */
@NullMarked
package dev.understudy.aggregator.command;

import org.jspecify.annotations.NullMarked;
