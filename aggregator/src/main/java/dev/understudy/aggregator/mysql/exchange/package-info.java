/**
 * What the recorder of MySQL hands to its replay: replies by the journal, everything else by {@link
 * dev.understudy.aggregator.fact.ServerFacts}.
 */
@NullMarked
package dev.understudy.aggregator.mysql.exchange;

import org.jspecify.annotations.NullMarked;
