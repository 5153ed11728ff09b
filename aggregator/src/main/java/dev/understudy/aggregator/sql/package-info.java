/** What the SQL protocols have in common, whatever they are on the wire: text, and what a debug transaction is made of. */
@NullMarked
package dev.understudy.aggregator.sql;

import org.jspecify.annotations.NullMarked;
