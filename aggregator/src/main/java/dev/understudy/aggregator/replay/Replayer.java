package dev.understudy.aggregator.replay;

import dev.understudy.aggregator.exchange.RecordedReply;
import io.netty.channel.ChannelPipeline;

/** How one protocol replays: adds its handlers to the pipeline of each accepted debug connection. */
@FunctionalInterface
public interface Replayer<R extends RecordedReply> {
    void replay(ChannelPipeline pipeline, UpstreamReplay<R> replay);
}
