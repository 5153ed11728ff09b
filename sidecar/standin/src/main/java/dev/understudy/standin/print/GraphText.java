package dev.understudy.standin.print;

import dev.understudy.relay.log.Printable;
import dev.understudy.standin.graph.ServiceCall;
import dev.understudy.standin.graph.ServiceGraph;
import dev.understudy.standin.graph.ServiceNode;
import dev.understudy.standin.graph.ServiceRoute;
import dev.understudy.standin.trace.NodeKind;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** A graph as text for a terminal. */
public final class GraphText {
    private final PrintWriter out;

    private GraphText(PrintWriter out) {
        this.out = out;
    }

    /** Prints a graph; its names come from outside, and command no terminal. */
    public static void print(ServiceGraph graph, PrintWriter out) {
        GraphText text = new GraphText(out);
        List<ServiceNode> services = graph.nodes().stream()
                .filter(node -> node.kind() == NodeKind.SERVICE)
                .toList();
        text.line("%d services, %d traces, %d spans", services.size(), graph.traces(), graph.spans());
        graph.notes().forEach(note -> text.line("note: %s", note));
        services.forEach(text::service);
        text.peers(graph);
    }

    private void service(ServiceNode service) {
        out.println();
        line("%s", service.name());
        for (ServiceRoute route : service.routes()) {
            line("  %s: %s, %.2f ms", route.route(), count(route.requests(), "request"), route.meanMillis());
            if (!route.calls().isEmpty()) {
                line("    %5s %8s %7s %9s  %-17s %s", "order", "requests", "times", "mean ms", "together", "calls");
                route.calls().forEach(this::call);
            }
        }
    }

    private void call(ServiceCall call) {
        line(
                "    %5.1f %7.1f%% %7.2f %9.2f  %-17s %s %s",
                call.position(),
                call.probability() * 100,
                call.times(),
                call.meanMillis(),
                call.atOnce() <= 1 ? "one after another" : "up to " + call.atOnce() + " at once",
                call.service(),
                call.route());
    }

    private void peers(ServiceGraph graph) {
        List<ServiceNode> peers = graph.nodes().stream()
                .filter(node -> node.kind() != NodeKind.SERVICE)
                .toList();
        if (peers.isEmpty()) {
            return;
        }
        out.println();
        line("known from their callers alone:");
        peers.forEach(peer -> line("  %s (%s)", peer.name(), peer.kind().name().toLowerCase(Locale.ROOT)));
    }

    private void line(String format, Object... values) {
        out.println(Printable.of(String.format(Locale.ROOT, format, values)));
    }

    private static String count(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
