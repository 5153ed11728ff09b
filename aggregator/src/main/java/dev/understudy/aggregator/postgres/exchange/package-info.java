/**
 * What the recorder of PostgreSQL hands to its replay: replies by the journal, everything else by {@link
 * dev.understudy.aggregator.fact.ServerFacts}.
 */
@NullMarked
package dev.understudy.aggregator.postgres.exchange;

import org.jspecify.annotations.NullMarked;
