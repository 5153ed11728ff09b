package dev.understudy.sidecar.upstream;

import dev.understudy.relay.control.Reply;
import dev.understudy.relay.control.Routes;
import dev.understudy.sidecar.inbound.LinkConfig;

/** All that the control port answers of the aggregator: what it knows, and the faults that it injects. */
public final class AggregatorRoutes implements AutoCloseable {
    private final AggregatorReader reader;
    private final AggregatorFaults faults;

    /** @param config where the aggregator is, if there is one */
    public AggregatorRoutes(LinkConfig config) {
        this.reader = new AggregatorReader(config, System::nanoTime);
        this.faults = new AggregatorFaults(config);
    }

    /** Adds its paths to {@code routes}. */
    public Routes addTo(Routes routes) {
        UpstreamsView upstreams = new UpstreamsView(reader);
        return faults.addTo(routes.get("/v1/upstreams", call -> Reply.json(upstreams.read(call))));
    }

    @Override
    public void close() {
        reader.close();
        faults.close();
    }
}
