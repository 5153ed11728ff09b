/** Suites for PostgreSQL. */
@NullMarked
package dev.understudy.it.fidelity.sql;

import org.jspecify.annotations.NullMarked;
