/**
 * PostgreSQL as an upstream: production's statements with their results go to the journal, and a debug JVM's driver is
 * answered from there.
 *
 * <p>{@code sql} reads statements, {@code exchange} is what both sides share, {@code record} and {@code replay} are the
 * sides, and neither knows the other.
 */
@NullMarked
package dev.understudy.aggregator.postgres;

import org.jspecify.annotations.NullMarked;
