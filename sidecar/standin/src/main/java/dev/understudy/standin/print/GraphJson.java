package dev.understudy.standin.print;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.understudy.standin.graph.ServiceCall;
import dev.understudy.standin.graph.ServiceGraph;
import dev.understudy.standin.graph.ServiceNode;
import dev.understudy.standin.graph.ServiceRoute;
import dev.understudy.standin.trace.NodeKind;
import java.util.Locale;

/** A graph as a JSON document. */
public final class GraphJson {
    private GraphJson() {}

    /** The document: {@code services} with {@code routes} with {@code calls}, and {@code peers}. */
    public static ObjectNode of(ServiceGraph graph) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.put("traces", graph.traces()).put("spans", graph.spans());
        ArrayNode notes = document.putArray("notes");
        graph.notes().forEach(notes::add);
        ArrayNode services = document.putArray("services");
        ArrayNode peers = document.putArray("peers");
        for (ServiceNode node : graph.nodes()) {
            if (node.kind() == NodeKind.SERVICE) {
                service(node, services.addObject());
            } else {
                peers.addObject().put("name", node.name()).put("kind", kind(node.kind()));
            }
        }
        return document;
    }

    private static void service(ServiceNode service, ObjectNode into) {
        into.put("name", service.name()).put("requests", service.requests());
        ArrayNode routes = into.putArray("routes");
        service.routes().forEach(route -> route(route, routes.addObject()));
    }

    private static void route(ServiceRoute route, ObjectNode into) {
        into.put("route", route.route())
                .put("requests", route.requests())
                .put("meanMillis", route.meanMillis())
                .put("atOnce", route.atOnce());
        ArrayNode calls = into.putArray("calls");
        route.calls().forEach(call -> call(call, calls.addObject()));
    }

    private static void call(ServiceCall call, ObjectNode into) {
        into.put("service", call.service())
                .put("kind", kind(call.kind()))
                .put("route", call.route())
                .put("requests", call.requests())
                .put("calls", call.calls())
                .put("probability", call.probability())
                .put("times", call.times())
                .put("position", call.position())
                .put("atOnce", call.atOnce())
                .put("meanMillis", call.meanMillis());
    }

    private static String kind(NodeKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
