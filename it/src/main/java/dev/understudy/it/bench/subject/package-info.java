/** The ways from a client to production, and what stands at both ends. */
@NullMarked
package dev.understudy.it.bench.subject;

import org.jspecify.annotations.NullMarked;
