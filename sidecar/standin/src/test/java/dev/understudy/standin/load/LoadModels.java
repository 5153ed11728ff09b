package dev.understudy.standin.load;

import dev.understudy.standin.model.ArrivalModel;
import dev.understudy.standin.model.ReplyModel;
import dev.understudy.standin.model.RequestModel;
import dev.understudy.standin.model.RouteModel;
import dev.understudy.standin.model.ServiceModel;
import dev.understudy.standin.value.Alphabet;
import dev.understudy.standin.value.Quantiles;
import dev.understudy.standin.value.ValueModel.TextModel;
import java.util.List;

/** Small models for tests. */
public final class LoadModels {
    /** Gaps of a Poisson process, in milliseconds at 100 per second. */
    static final Quantiles POISSON = new Quantiles(
            List.of(0.0, 0.1, 0.5, 1.0, 2.2, 3.6, 5.1, 6.9, 9.2, 12.0, 16.1, 23.0, 30.0, 39.1, 46.1, 53.0, 69.1, 90.0));

    private LoadModels() {}

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

    static ServiceModel service(double perSecond, int connections, double requestsPerConnection, RouteModel... routes) {
        return new ServiceModel(
                "orders",
                1000,
                10,
                0,
                new ArrivalModel(perSecond, POISSON, connections, Quantiles.always(requestsPerConnection)),
                List.of(routes));
    }

    static RouteModel route(double share, RequestModel request) {
        ReplyModel reply = new ReplyModel(200, 1, "", Quantiles.always(0), null);
        return new RouteModel(share, request, List.of(reply), Quantiles.always(1), 0, 0);
    }
}
