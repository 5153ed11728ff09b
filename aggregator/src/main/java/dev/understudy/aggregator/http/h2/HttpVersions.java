package dev.understudy.aggregator.http.h2;

import dev.understudy.aggregator.http.HttpAnswer;
import dev.understudy.aggregator.http.form.FormRule;
import dev.understudy.aggregator.http.stub.Stubs;
import dev.understudy.aggregator.record.Recorder;
import dev.understudy.aggregator.replay.Replayer;

/** An HTTP upstream: its connections speak HTTP/1.1 or HTTP/2, gRPC included, as their clients begin. */
public final class HttpVersions {
    private HttpVersions() {}

    /**
     * How production's connections are recorded.
     *
     * @param rule what counts for the requests' forms
     */
    public static Recorder<HttpAnswer> recorder(FormRule rule) {
        return recording -> new VersionRecorder(recording, rule);
    }

    /**
     * How debug connections are answered.
     *
     * @param stubs answer what nothing recorded fits
     * @param rule what counts for the requests' forms
     */
    public static Replayer<HttpAnswer> replayer(Stubs stubs, FormRule rule) {
        return (pipeline, replay) -> pipeline.addLast(new VersionReplayHandler(replay, stubs, rule));
    }
}
