package dev.understudy.aggregator.mysql;

import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.fact.ServerFile;
import dev.understudy.aggregator.mysql.exchange.MySqlReply;
import dev.understudy.aggregator.mysql.exchange.ServerKeys;
import dev.understudy.aggregator.mysql.record.MySqlRecorder;
import dev.understudy.aggregator.mysql.replay.MySqlReplayHandler;
import dev.understudy.aggregator.record.Recorder;
import dev.understudy.aggregator.replay.Replayer;
import dev.understudy.aggregator.sql.ReplayPosition;
import dev.understudy.aggregator.sql.SqlSpelling;

/** Recorder and replay of one MySQL upstream, which share what is known of the server. Safe for all threads. */
public final class MySql {
    private final ServerFacts facts = new ServerFacts();
    private final ReplayPosition position = new ReplayPosition(null);
    private final SqlSpelling spelling;

    /** @param spelling whether white space and comments count */
    public MySql(SqlSpelling spelling) {
        this.spelling = spelling;
    }

    /** Begins with what an earlier process knew of the server. To be called before there are connections. */
    public void keepIn(ServerFile file) {
        facts.keepIn(file, ServerKeys.ALL);
    }

    /** Records production's connections. */
    public Recorder<MySqlReply> recorder() {
        return recording -> new MySqlRecorder(recording, facts, spelling);
    }

    /** Answers the debug JVM's connections. */
    public Replayer<MySqlReply> replayer() {
        return (pipeline, replay) -> pipeline.addLast(new MySqlReplayHandler(replay, facts, position, spelling));
    }
}
