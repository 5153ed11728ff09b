package dev.understudy.aggregator.http.grpc;

import dev.understudy.aggregator.http.Pace;
import io.netty.buffer.Unpooled;

/** A conversation that is in memory. */
final class HeldSteps implements Steps {
    private final Pace pace;
    private final byte[] body;
    private int said;
    private boolean ended;
    private int released;
    private int told;

    HeldSteps(Pace pace, byte[] body) {
        this.pace = pace;
        this.body = body;
    }

    @Override
    public Step next() {
        while (released < pace.releases().size()) {
            Pace.Release release = pace.releases().get(released);
            if (said < release.messages()) {
                return new Step.Said(pace.messages().get(said++));
            }
            if (release.ended() && !ended) {
                ended = true;
                return new Step.Ended();
            }
            released++;
            if (release.upTo() > told) {
                int from = told;
                told = release.upTo();
                return new Step.Told(Unpooled.wrappedBuffer(body, from, told - from));
            }
        }
        return said < pace.messages().size() && !pace.ends()
                ? new Step.Said(pace.messages().get(said++))
                : new Step.Over();
    }
}
