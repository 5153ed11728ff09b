package dev.understudy.aggregator.journal.disk;

import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.aggregator.exchange.ReplyCodec;
import dev.understudy.relay.stream.SpilledBlock;
import org.jspecify.annotations.Nullable;

/**
 * Where a reply lies on disk.
 *
 * @param kept what of the reply stays in memory, see {@link ReplyCodec#kept}
 * @param large what of the reply lies in files of its own; null if nothing does
 */
public record Stored(
        SpilledBlock place, @Nullable Object kept, @Nullable LargeBody large) {}
