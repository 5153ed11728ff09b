/**
 * MySQL and MariaDB as an upstream: production's statements with their results go to the journal, and a debug JVM's
 * driver is answered from there.
 *
 * <p>{@code sql} reads statements and follows sessions, {@code exchange} is what both sides share, {@code record} and
 * {@code replay} are the sides, and neither knows the other.
 */
@NullMarked
package dev.understudy.aggregator.mysql;

import org.jspecify.annotations.NullMarked;
