/**
 * Upstreams: records production's replies, answers the debug JVM from them.
 */
@NullMarked
package dev.understudy.aggregator;

import org.jspecify.annotations.NullMarked;
