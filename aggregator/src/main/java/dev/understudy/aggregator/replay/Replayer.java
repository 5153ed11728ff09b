package dev.understudy.aggregator.replay;

import dev.understudy.aggregator.exchange.Reply;
import io.netty.channel.ChannelPipeline;

/** How one protocol replays: adds its handlers to the pipeline of each accepted debug connection. */
@FunctionalInterface
public interface Replayer<R extends Reply> {
    void replay(ChannelPipeline pipeline, Replay<R> replay);
}
