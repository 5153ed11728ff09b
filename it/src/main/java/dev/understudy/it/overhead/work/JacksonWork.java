package dev.understudy.it.overhead.work;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An order is read from JSON into objects and written again, and once more as a tree that is changed. */
final class JacksonWork implements Work {
    private static final int LINES = 20;

    private final ObjectMapper mapper = new ObjectMapper();
    private final byte[] json;
    private long number;

    JacksonWork() throws IOException {
        List<Line> lines = new ArrayList<>();
        for (int n = 0; n < LINES; n++) {
            lines.add(new Line("sku-" + n, n + 1, 9.99 + n, List.of("red", "small", "tag \u00fc " + n)));
        }
        json = mapper.writeValueAsBytes(new Order(1, "Ada", true, Map.of("street", "1 Main", "city", "Here"), lines));
    }

    @Override
    public long once() throws IOException {
        Order order = mapper.readValue(json, Order.class);
        byte[] written = mapper.writeValueAsBytes(order);
        JsonNode tree = mapper.readTree(written);
        ((ObjectNode) tree).put("id", ++number);
        long sum = written.length;
        sum += mapper.writeValueAsBytes(tree).length;
        return sum + order.lines().get(LINES - 1).count();
    }

    /** What was ordered. */
    public record Order(long id, String customer, boolean paid, Map<String, String> address, List<Line> lines) {}

    /** One thing of it. */
    public record Line(String sku, int count, double price, List<String> tags) {}
}
