/**
 * What debug connections may take of what production's need as well: memory, descriptors, time.
 *
 * <p>Knows the relay's budgets, so that those who answer the debug JVM needn't know anything of the relay.
 */
@NullMarked
package dev.understudy.aggregator.limit;

import org.jspecify.annotations.NullMarked;
