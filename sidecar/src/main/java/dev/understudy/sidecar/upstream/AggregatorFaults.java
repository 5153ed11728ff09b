package dev.understudy.sidecar.upstream;

import dev.understudy.relay.control.AnswerThread;
import dev.understudy.relay.control.Body;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.Reply;
import dev.understudy.relay.control.Routes;
import dev.understudy.relay.control.access.Access;
import dev.understudy.sidecar.inbound.LinkConfig;
import dev.understudy.sidecar.inbound.LinkState;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/**
 * {@code /v1/faults}: what the debug JVM's upstream calls suffer on purpose, at the aggregator.
 *
 * <p>Calls are passed on one after the other, orders by a thread of their own; few may wait for it. What the aggregator
 * says is passed back, but for its refusal of the sidecar's own token: that is no fault of the caller's.
 */
public final class AggregatorFaults implements AutoCloseable {
    private static final String NAME = "understudy-aggregator-faults";
    private static final int WAITING = 2;
    private static final int LARGEST = 16 << 10;
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final byte[] NOTHING = {};

    private final boolean isSomewhere;
    private final Way orders;

    /** Whoever only looks takes no place from those who take faults back. */
    private final Way looks;

    /** @param config where the aggregator is; without an address calls are answered 404 */
    public AggregatorFaults(LinkConfig config) {
        this.isSomewhere = !config.url().isEmpty();
        this.orders = new Way(new AggregatorClient(config), new AnswerThread(NAME + "-orders", WAITING));
        this.looks = new Way(new AggregatorClient(config), new AnswerThread(NAME, WAITING));
    }

    /** Adds its paths to {@code routes}. */
    public Routes addTo(Routes routes) {
        return routes.later(Access.READ, "GET", "/v1/faults", Body.json(), call -> pass("GET", "", NOTHING))
                .later(Access.OPERATE, "DELETE", "/v1/faults", Body.json(), call -> pass("DELETE", "", NOTHING))
                .later(
                        Access.OPERATE,
                        "PUT",
                        "/v1/faults/{name}",
                        Body.json(LARGEST),
                        call -> pass("PUT", named(call), call.body()))
                .later(
                        Access.OPERATE,
                        "DELETE",
                        "/v1/faults/{name}",
                        Body.json(),
                        call -> pass("DELETE", named(call), NOTHING));
    }

    @Override
    public void close() {
        orders.thread.close();
        looks.thread.close();
    }

    private static String named(Call call) {
        String name = call.captured("name");
        if (!FORM.matcher(name).matches()) {
            throw new IllegalArgumentException("name: (expected: letters, digits, . _ and -, at most 64)");
        }
        return "/" + name;
    }

    private CompletableFuture<Reply> pass(String method, String below, byte[] json) {
        Way way = method.equals("GET") ? looks : orders;
        return isSomewhere
                ? way.thread.answer(() -> ask(way.client, method, "/v1/faults" + below, json))
                : CompletableFuture.completedFuture(
                        Reply.problem(404, "No aggregator", "the setting aggregator.url names none"));
    }

    private static Reply ask(AggregatorClient client, String method, String path, byte[] json) {
        try {
            return passed(client.pass(method, path, json));
        } catch (IOException unanswered) {
            return Reply.problem(
                    502,
                    "No answer",
                    "the aggregator: " + LinkState.words(unanswered)
                            + (method.equals("GET") ? "" : "; look at the faults before you try again"));
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
            return Reply.problem(503, "Closing", "the sidecar ends");
        }
    }

    private static Reply passed(HttpResponse<byte[]> reply) {
        String type = reply.headers().firstValue("content-type").orElse("");
        boolean isKnown = type.equals("application/json") || type.equals("application/problem+json");
        return switch (reply.statusCode()) {
            case 401, 403 ->
                Reply.problem(
                        502, "Refused", "the aggregator refuses the sidecar (expected: aggregator.token of operate)");
            case 200, 400, 404, 413 ->
                isKnown
                        ? new Reply(reply.statusCode(), type, reply.body())
                        : Reply.problem(502, "No answer", "the aggregator answers with something else than JSON");
            default -> Reply.problem(502, "No answer", "the aggregator answers with status " + reply.statusCode());
        };
    }

    /** How calls get to the aggregator, one at a time. */
    private record Way(AggregatorClient client, AnswerThread thread) {}
}
