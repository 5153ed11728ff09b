package dev.understudy.aggregator.tcp;

import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.record.Recorder;
import dev.understudy.aggregator.replay.Replayer;
import java.time.Duration;

/** Recorder and replay of one upstream whose protocol nobody knows. Safe for all threads. */
public final class Tcp {
    private final Conversations conversations;
    private final boolean byCount;

    /**
     * Makes both.
     *
     * @param memory bytes of all conversations that the debug JVM hasn't been played yet; one may have an eighth of
     *     that
     * @param age how long a conversation that is over waits for its debug connection
     * @param byCount whether a debug connection that sent something else than production is played on, by the number of
     *     bytes
     */
    public Tcp(long memory, Duration age, boolean byCount) {
        this.conversations = new Conversations(memory, age.toNanos(), System::nanoTime);
        this.byCount = byCount;
    }

    /** Records production's connections. */
    public Recorder<RecordedReply> recorder() {
        return recording -> new TcpRecorder(recording, conversations);
    }

    /** Answers the debug JVM's connections. */
    public Replayer<RecordedReply> replayer() {
        return (pipeline, replay) ->
                pipeline.addLast(new TcpReplayHandler(pipeline.channel(), replay, conversations, byCount));
    }
}
