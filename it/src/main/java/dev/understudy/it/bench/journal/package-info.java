/** The aggregator's recorders and its journal in this very process, fed with bytes. */
@NullMarked
package dev.understudy.it.bench.journal;

import org.jspecify.annotations.NullMarked;
