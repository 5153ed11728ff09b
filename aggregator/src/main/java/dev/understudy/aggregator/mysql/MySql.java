package dev.understudy.aggregator.mysql;

import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.mysql.exchange.MySqlReply;
import dev.understudy.aggregator.mysql.record.MySqlRecorder;
import dev.understudy.aggregator.mysql.replay.MySqlReplayHandler;
import dev.understudy.aggregator.record.Recorder;
import dev.understudy.aggregator.replay.Replayer;
import dev.understudy.aggregator.sql.ReplayPosition;

/** Recorder and replay of one MySQL upstream, which share what is known of the server. Safe for all threads. */
public final class MySql {
    private final ServerFacts facts = new ServerFacts();
    private final ReplayPosition position = new ReplayPosition(null);

    /** Records production's connections. */
    public Recorder<MySqlReply> recorder() {
        return recording -> new MySqlRecorder(recording, facts);
    }

    /** Answers the debug JVM's connections. */
    public Replayer<MySqlReply> replayer() {
        return (pipeline, replay) -> pipeline.addLast(new MySqlReplayHandler(replay, facts, position));
    }
}
