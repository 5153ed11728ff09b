package dev.understudy.aggregator.http.grpc;

import dev.understudy.aggregator.http.HttpPace;
import io.netty.buffer.Unpooled;

/** A conversation that is in memory. */
final class HeldSteps implements Steps {
    private final HttpPace pace;
    private final byte[] body;
    private int said;
    private boolean ended;
    private int released;
    private int told;

    HeldSteps(HttpPace pace, byte[] body) {
        this.pace = pace;
        this.body = body;
    }

    @Override
    public GrpcStep next() {
        while (released < pace.releases().size()) {
            HttpPace.Release release = pace.releases().get(released);
            if (said < release.messages()) {
                return new GrpcStep.Said(pace.messages().get(said++));
            }
            if (release.ended() && !ended) {
                ended = true;
                return new GrpcStep.Ended();
            }
            released++;
            if (release.upTo() > told) {
                int from = told;
                told = release.upTo();
                return new GrpcStep.Told(Unpooled.wrappedBuffer(body, from, told - from));
            }
        }
        return said < pace.messages().size() && !pace.ends()
                ? new GrpcStep.Said(pace.messages().get(said++))
                : new GrpcStep.Over();
    }
}
