package dev.understudy.sidecar.control.flame;

import dev.understudy.relay.control.Body;
import dev.understudy.relay.control.Reply;
import dev.understudy.relay.control.Routes;
import dev.understudy.relay.control.access.Access;
import dev.understudy.sidecar.finding.Findings;
import dev.understudy.sidecar.flame.AllocationProfile;
import dev.understudy.sidecar.flame.Flames;
import dev.understudy.sidecar.flame.RecentExchanges;
import dev.understudy.sidecar.verdict.ExchangeLog;
import java.util.Map;

/** All that the control port is told and answers of samples: where wall time goes, and who allocates. */
public final class FlameRoutes {
    private static final Body SAMPLES = Body.json(4 << 20);

    private final FlameControl flame;
    private final AllocationControl allocations;
    private final FlameGraphView graph;

    /** @param endings whose samples they are; {@code findings} and {@code exchanges}: both sides' times */
    public FlameRoutes(RecentExchanges endings, Map<String, Findings> findings, ExchangeLog exchanges) {
        Flames flames = new Flames(endings, System::currentTimeMillis);
        AllocationProfile profile = new AllocationProfile(endings, System::currentTimeMillis);
        RouteTimes times = new RouteTimes(findings, exchanges);
        flame = new FlameControl(flames, times, System::currentTimeMillis);
        allocations = new AllocationControl(profile, System::currentTimeMillis);
        graph = new FlameGraphView(flames, profile, times, System::currentTimeMillis);
    }

    /** Adds its paths to {@code routes}. */
    public Routes addTo(Routes routes) {
        return routes.post(Access.AGENT, "/v1/stacks", SAMPLES, flame::post)
                .get("/v1/flame", call -> Reply.json(flame.read(call)))
                .get("/v1/flame/graph", call -> Reply.json(graph.read(call)))
                .post(Access.AGENT, "/v1/allocations", SAMPLES, allocations::post)
                .get("/v1/allocations", call -> Reply.json(allocations.read(call)));
    }
}
