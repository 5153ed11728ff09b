package dev.understudy.aggregator;

import dev.understudy.relay.connect.Address;
import dev.understudy.relay.loop.EventLoops;
import java.io.IOException;

/**
 * The only way to a stand-in. It is made from the stand-in's own address, and is never given that of an upstream but to
 * keep away from it.
 */
final class StandinServer {
    private StandinServer() {}

    /**
     * Opens no connection yet.
     *
     * @param real where nothing may be said, whatever the stand-in's name leads to
     * @throws IOException if what is needed to reach it can't be read
     */
    static LiveUpstream open(String upstream, Address at, RealAddresses real, EventLoops loops) throws IOException {
        return new LiveUpstream(LiveTarget.standin(upstream, at, real::contains), loops, System::nanoTime);
    }
}
