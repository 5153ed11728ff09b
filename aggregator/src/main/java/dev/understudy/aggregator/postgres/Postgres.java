package dev.understudy.aggregator.postgres;

import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.fact.ServerFile;
import dev.understudy.aggregator.postgres.exchange.PgReply;
import dev.understudy.aggregator.postgres.exchange.ServerParameters;
import dev.understudy.aggregator.postgres.record.PgConnectionRecorder;
import dev.understudy.aggregator.postgres.replay.Backends;
import dev.understudy.aggregator.postgres.replay.PgReplayHandler;
import dev.understudy.aggregator.record.Recorder;
import dev.understudy.aggregator.replay.Replayer;
import dev.understudy.aggregator.sql.SqlSpelling;
import dev.understudy.aggregator.tls.TlsPort;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Recorder and replay of one PostgreSQL upstream, which share what is known of the server. Safe for all threads. */
public final class Postgres {
    private final ServerFacts facts;
    private final Backends backends;
    private final SqlSpelling spelling;

    /**
     * Knows nothing of the server yet.
     *
     * @param spelling whether white space and comments count
     * @param age how long notifications wait for a debug session
     */
    public Postgres(SqlSpelling spelling, Duration age) {
        this.spelling = spelling;
        this.backends = new Backends(spelling);
        this.facts = new ServerFacts(age);
    }

    /** Begins with what an earlier process knew of the server. To be called before there are connections. */
    public void keepIn(ServerFile file) {
        facts.keepIn(file, List.of(ServerParameters.KEY));
    }

    /** Records production's connections. */
    public Recorder<PgReply> recorder() {
        return recording -> new PgConnectionRecorder(recording, facts, spelling);
    }

    /**
     * Answers the debug JVM's connections.
     *
     * @param tls for clients that ask for it; null if they are told no
     */
    public Replayer<PgReply> replayer(@Nullable TlsPort tls) {
        return (pipeline, replay) -> pipeline.addLast(new PgReplayHandler(replay, facts, backends, tls));
    }
}
