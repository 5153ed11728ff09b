package dev.understudy.standin.load;

import dev.understudy.standin.model.RouteModel;
import dev.understudy.standin.model.ServiceModel;
import java.util.ArrayList;
import java.util.List;

/**
 * What a run is to do. Immutable.
 *
 * @param makers of requests, in the order of the model's routes
 */
record LoadPlan(ServiceModel model, LoadOptions options, List<RequestMaker> makers) {
    /**
     * A plan by a model.
     *
     * @throws IllegalArgumentException with each route whose requests can't be made
     */
    static LoadPlan of(ServiceModel model, LoadOptions options) {
        List<RequestMaker> makers = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (RouteModel route : model.routes()) {
            try {
                makers.add(new RequestMaker(route.request()));
            } catch (IllegalArgumentException impossible) {
                problems.add(impossible.getMessage());
            }
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join(System.lineSeparator(), problems));
        }
        return new LoadPlan(model, options, List.copyOf(makers));
    }

    /** How many requests there are. */
    long count() {
        return Math.max(1, Math.round(options.perSecond() * options.seconds()));
    }

    /** A route's name. */
    String route(int route) {
        return model.routes().get(route).request().route();
    }

    /** What part of all requests goes to a route; all routes have 1 together. */
    double share(int route) {
        double all = model.routes().stream().mapToDouble(RouteModel::share).sum();
        return model.routes().get(route).share() / all;
    }
}
