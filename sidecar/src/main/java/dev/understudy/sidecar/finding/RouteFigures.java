package dev.understudy.sidecar.finding;

import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.sidecar.verdict.Judged;
import java.util.EnumMap;
import java.util.Map;

/** What came of the exchanges of one route. Guarded by {@code this}. */
final class RouteFigures {
    final String route;

    private final Map<VerdictKind, Long> verdicts = new EnumMap<>(VerdictKind.class);
    private final Micros production = new Micros();
    private final Micros debug = new Micros();

    RouteFigures(String route) {
        this.route = route;
    }

    synchronized void add(Judged judged) {
        verdicts.merge(judged.verdict().kind(), 1L, Long::sum);
        Double ofProduction = judged.productionMillis();
        Double ofDebug = judged.debugMillis();
        if (ofProduction != null && ofDebug != null) {
            production.add(ofProduction);
            debug.add(ofDebug);
        }
    }

    synchronized RouteSnapshot.Route read(String route) {
        return new RouteSnapshot.Route(route, new EnumMap<>(verdicts), production.read(), debug.read());
    }
}
