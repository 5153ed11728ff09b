/** What a debug transaction is made of, whatever the SQL protocol is on the wire. */
@NullMarked
package dev.understudy.aggregator.sql;

import org.jspecify.annotations.NullMarked;
