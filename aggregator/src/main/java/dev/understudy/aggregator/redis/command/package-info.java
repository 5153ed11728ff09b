/** What the aggregator has to know of single Redis commands. Imports nothing of recording or replaying. */
@NullMarked
package dev.understudy.aggregator.redis.command;

import org.jspecify.annotations.NullMarked;
