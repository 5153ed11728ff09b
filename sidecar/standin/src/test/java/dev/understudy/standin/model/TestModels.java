package dev.understudy.standin.model;

import dev.understudy.standin.value.Alphabet;
import dev.understudy.standin.value.Quantiles;
import dev.understudy.standin.value.ValueModel;
import dev.understudy.standin.value.ValueModel.Member;
import dev.understudy.standin.value.ValueModel.NumberModel;
import dev.understudy.standin.value.ValueModel.ObjectModel;
import dev.understudy.standin.value.ValueModel.TextModel;
import java.util.Collections;
import java.util.List;

/** Small models for tests. */
public final class TestModels {
    /** Gaps of a Poisson process, in milliseconds at 100 per second. */
    public static final Quantiles POISSON = new Quantiles(
            List.of(0.0, 0.1, 0.5, 1.0, 2.2, 3.6, 5.1, 6.9, 9.2, 12.0, 16.1, 23.0, 30.0, 39.1, 46.1, 53.0, 69.1, 90.0));

    private static final NumberModel NUMBER = new NumberModel(1, 1000, 0, 1000);

    private TestModels() {}

    /** Two routes: three of four requests read an order, the fourth lists them. */
    public static ServiceModel orders(double perSecond, int connections, double requestsPerConnection) {
        RequestModel one = new RequestModel(
                "GET",
                "/orders/{}",
                List.of(new TextModel(Alphabet.DIGITS, Quantiles.always(4), 100)),
                List.of(),
                "",
                Quantiles.always(0),
                null);
        RequestModel all = new RequestModel("GET", "/orders", List.of(), List.of(), "", Quantiles.always(0), null);
        return service(perSecond, connections, requestsPerConnection, route(0.75, one), route(0.25, all));
    }

    /** Any routes. */
    public static ServiceModel service(
            double perSecond, int connections, double requestsPerConnection, RouteModel... routes) {
        return new ServiceModel(
                "orders",
                1000,
                10,
                0,
                new ArrivalModel(perSecond, POISSON, connections, Quantiles.always(requestsPerConnection)),
                List.of(routes));
    }

    /** A route that answers with nothing. */
    public static RouteModel route(double share, RequestModel request) {
        ReplyModel reply = new ReplyModel(200, 1, "", Quantiles.always(0), null);
        return new RouteModel(share, request, List.of(reply), Quantiles.always(1), 0, 0);
    }

    /** A route that takes a millisecond. */
    public static RouteModel route(String method, String path) {
        return route(method, path, Quantiles.always(1), 0);
    }

    /** A route that answers with an object that has one number. */
    public static RouteModel route(String method, String path, Quantiles millis, double processorMillis) {
        int parts = path.split("\\{\\}", -1).length - 1;
        RequestModel request = new RequestModel(
                method, path, Collections.<ValueModel>nCopies(parts, NUMBER), List.of(), "", Quantiles.always(0), null);
        ObjectModel body = new ObjectModel(List.of(new Member("n", 1, NUMBER)));
        ReplyModel reply = new ReplyModel(200, 1, "application/json", Quantiles.always(10), body);
        return new RouteModel(1, request, List.of(reply), millis, processorMillis, 0);
    }

    /** A service without a limit of workers. */
    public static ServiceModel of(RouteModel... routes) {
        return of(0, routes);
    }

    /** A service of some workers. */
    public static ServiceModel of(int workers, RouteModel... routes) {
        ArrivalModel arrivals = new ArrivalModel(100, Quantiles.always(10), 4, Quantiles.always(10));
        return new ServiceModel("example", 1000, 10, workers, arrivals, List.of(routes));
    }
}
