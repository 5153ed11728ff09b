/**
 * What can be said of a statement from its text: where it ends, what kind of command it is, and its canonical form.
 */
@NullMarked
package dev.understudy.aggregator.postgres.sql;

import org.jspecify.annotations.NullMarked;
