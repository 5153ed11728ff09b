/**
 * The studies of the thesis (seed 002, section 3.4) again, with real programs, and what was seen there beside what is
 * seen here.
 */
@NullMarked
package dev.understudy.it.bench.thesis;

import org.jspecify.annotations.NullMarked;
