package dev.understudy.standin.run;

import dev.understudy.standin.model.ArrivalModel;
import dev.understudy.standin.model.ReplyModel;
import dev.understudy.standin.model.RequestModel;
import dev.understudy.standin.model.RouteModel;
import dev.understudy.standin.model.ServiceModel;
import dev.understudy.standin.value.Quantiles;
import dev.understudy.standin.value.ValueModel;
import dev.understudy.standin.value.ValueModel.Member;
import dev.understudy.standin.value.ValueModel.NumberModel;
import dev.understudy.standin.value.ValueModel.ObjectModel;
import java.util.Collections;
import java.util.List;

/** Small models for tests. */
final class ExampleModel {
    static final NumberModel NUMBER = new NumberModel(1, 1000, 0, 1000);

    private ExampleModel() {}

    static RouteModel route(String method, String path) {
        return route(method, path, Quantiles.always(1), 0);
    }

    /** A route that answers with an object that has one number. */
    static RouteModel route(String method, String path, Quantiles millis, double processorMillis) {
        int parts = path.split("\\{\\}", -1).length - 1;
        RequestModel request = new RequestModel(
                method, path, Collections.<ValueModel>nCopies(parts, NUMBER), List.of(), "", Quantiles.always(0), null);
        ObjectModel body = new ObjectModel(List.of(new Member("n", 1, NUMBER)));
        ReplyModel reply = new ReplyModel(200, 1, "application/json", Quantiles.always(10), body);
        return new RouteModel(1, request, List.of(reply), millis, processorMillis, 0);
    }

    static ServiceModel of(RouteModel... routes) {
        return of(0, routes);
    }

    static ServiceModel of(int workers, RouteModel... routes) {
        ArrivalModel arrivals = new ArrivalModel(100, Quantiles.always(10), 4, Quantiles.always(10));
        return new ServiceModel("example", 1000, 10, workers, arrivals, List.of(routes));
    }
}
