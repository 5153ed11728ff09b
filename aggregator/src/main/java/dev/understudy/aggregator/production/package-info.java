/** Production's connections to its upstreams: relayed in this process, or in the one that has started it. */
@NullMarked
package dev.understudy.aggregator.production;

import org.jspecify.annotations.NullMarked;
