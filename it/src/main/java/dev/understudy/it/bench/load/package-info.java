/** What is asked of a subject, and what it took. */
@NullMarked
package dev.understudy.it.bench.load;

import org.jspecify.annotations.NullMarked;
