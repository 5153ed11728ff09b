package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.record.Recorder;
import dev.understudy.aggregator.redis.command.RedisRule;
import dev.understudy.aggregator.redis.push.Subscriptions;
import dev.understudy.aggregator.replay.Replayer;
import java.time.Duration;

/** Recorder and replay of one Redis upstream, which share what the server says unasked. Safe for all threads. */
public final class Redis {
    private final RedisSharing shared;
    private final RedisRule rule;

    /**
     * Makes both.
     *
     * @param memory bytes of messages of subscriptions that the debug JVM hasn't got yet
     * @param age how long they wait for a debug connection
     * @param rule what counts for the forms of commands
     */
    public Redis(long memory, Duration age, RedisRule rule) {
        this.rule = rule;
        shared = new RedisSharing(new Subscriptions(memory, age.toNanos(), System::nanoTime));
    }

    /** Records production's connections. */
    public Recorder<RedisReply> recorder() {
        return recording -> new RedisRecorder(recording, shared, rule);
    }

    /** Answers the debug JVM's connections. */
    public Replayer<RedisReply> replayer() {
        return (pipeline, replay) -> pipeline.addLast(new RedisReplayHandler(pipeline.channel(), replay, shared, rule));
    }
}
