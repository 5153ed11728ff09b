package dev.understudy.it.fidelity.wire;

import dev.understudy.it.fidelity.Operation;
import dev.understudy.it.fidelity.Transcript;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Makes operations of what a witness saw. */
public final class Witnessed {
    private Witnessed() {}

    /** For clients whose nth connection asks the same every time: the name says which request on which connection. */
    public static void byPlace(
            List<Connection> connections, Function<Connection, List<Exchange>> reader, Transcript transcript) {
        int number = 0;
        for (Connection connection : connections) {
            number++;
            int place = 0;
            for (Exchange exchange : reader.apply(connection)) {
                place++;
                add(transcript, "connection " + number + " request " + place, exchange);
            }
        }
    }

    /**
     * For clients whose connections share out the work as it comes: one of so many equal requests with equal replies is
     * as good as another.
     */
    public static void byForm(
            List<Connection> connections, Function<Connection, List<Exchange>> reader, Transcript transcript) {
        Map<Exchange, Integer> seen = new HashMap<>();
        for (Connection connection : connections) {
            for (Exchange exchange : reader.apply(connection)) {
                int number = seen.merge(exchange, 1, Integer::sum);
                add(transcript, exchange.form() + " giving " + exchange.reply() + ", number " + number, exchange);
            }
        }
    }

    private static void add(Transcript transcript, String name, Exchange exchange) {
        transcript.add(new Operation(name, exchange.form(), Transcript.result(exchange.reply())));
    }
}
