package dev.understudy.example.demo.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.understudy.example.demo.load.Tally.Effect;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** A customer of the shop, who checks every answer against what was asked and done before. */
final class Customer {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final int PRODUCTS = 48;
    private static final int RECENT = 10;
    private static final int ORDER_LIST = 20;
    private static final int QUOTE_BROKEN = 422;
    private static final String PASSWORD = "break-a-leg";
    private static final List<String> CATEGORIES = List.of("props", "effects", "lighting", "stage", "wardrobe");
    private static final List<String> CURRENCIES = List.of("EUR", "USD", "GBP", "CHF");

    private final String name;
    private final Random random;
    private final Memory memory;
    private final Tally tally;
    private final Visit visit;

    private final Deque<String> recent = new ArrayDeque<>();
    private final List<JsonNode> orders = new ArrayList<>();
    private final Map<Long, String> attachments = new TreeMap<>();

    Customer(int number, Random random, Memory memory, Tally tally, Visit visit) {
        this.name = "customer-%02d".formatted(number);
        this.random = random;
        this.memory = memory;
        this.tally = tally;
        this.visit = visit;
    }

    /** Does one thing that makes sense now; the first is to sign in. Some things take two requests. */
    void act() throws IOException, Wrong {
        if (!visit.hasSession()) {
            signIn();
            return;
        }
        Act act = Act.any(random);
        boolean needsOrder = act == Act.ORDER_DETAIL || act == Act.ATTACH;
        if ((needsOrder && orders.isEmpty()) || (act == Act.ATTACHMENT && attachments.isEmpty())) {
            act = Act.LOOK;
        }
        perform(act);
    }

    /** Signs in and orders ten of a product whose price for ten the defect gets wrong. */
    void complain() throws IOException, Wrong {
        signIn();
        orderAsQuoted(2, 10);
    }

    private void perform(Act act) throws IOException, Wrong {
        switch (act) {
            case LOOK -> look(product());
            case LIST -> steady("/products?category=" + category() + "&limit=12&offset=" + 4 * random.nextInt(3));
            case RECENT -> recent();
            case ORDER -> order();
            case ORDER_AS_QUOTED -> orderAsQuoted();
            case ORDER_DETAIL -> orderDetail();
            case ORDER_LIST -> orderList();
            case QUOTE -> quote();
            case REVENUE -> revenue();
            case ATTACH -> attach();
            case ATTACHMENT -> attachment();
            case CATALOGUE -> steady("/catalogue.csv?days=" + (250 + 50 * random.nextInt(8)));
            case UNKNOWN_PRODUCT -> unknownProduct();
            case TOO_MUCH -> tooMuch();
            case WRONG_PASSWORD -> visit.post(401, "/login", credentials("wrong"));
            case SIGN_IN_AGAIN -> signInAgain();
        }
    }

    private void signIn() throws IOException, Wrong {
        HttpReply reply = visit.post(200, "/login", credentials(PASSWORD));
        check(reply.header("set-cookie").startsWith("JSESSIONID="), "login made no session");
    }

    private void signInAgain() throws IOException, Wrong {
        visit.post(204, "/logout", new byte[0]);
        signIn();
    }

    private ObjectNode credentials(String password) {
        return JSON.objectNode().put("customer", name).put("password", password);
    }

    private JsonNode look(int id) throws IOException, Wrong {
        JsonNode product = steady("/products/" + id);
        tally.effect(Effect.CACHE_READS, 1);
        tally.effect(Effect.VIEWS, 1);
        recent.addFirst(product.get("sku").textValue());
        if (recent.size() > RECENT) {
            recent.removeLast();
        }
        return product;
    }

    private void unknownProduct() throws IOException, Wrong {
        visit.get(404, "/products/" + (4_000 + random.nextInt(100)));
        tally.effect(Effect.CACHE_READS, 1);
    }

    private void recent() throws IOException, Wrong {
        List<String> answered = new ArrayList<>();
        Visit.json(visit.get(200, "/recent")).forEach(sku -> answered.add(sku.textValue()));
        tally.effect(Effect.RECENT_READS, 1);
        check(answered.equals(List.copyOf(recent)), "recently viewed: " + answered + " (expected: " + recent + ")");
    }

    private void order() throws IOException, Wrong {
        Map<Integer, Integer> lines = new TreeMap<>();
        for (int line = 1 + random.nextInt(3); line > 0; line--) {
            lines.put(product(), quantity());
        }
        ObjectNode wanted = wanted(lines);
        if (random.nextInt(3) == 0) {
            wanted.put("note", "To the stage door, please \u2013 ask for " + name);
        }
        placed(Visit.json(visit.post(201, "/orders", wanted)), lines);
    }

    /**
     * Wants the price that a quote has promised. Where the order would cost another one, the shop refuses: its defect.
     */
    private void orderAsQuoted() throws IOException, Wrong {
        orderAsQuoted(product(), random.nextBoolean() ? 10 + random.nextInt(40) : 1 + random.nextInt(5));
    }

    private void orderAsQuoted(int product, int quantity) throws IOException, Wrong {
        JsonNode wish = look(product);
        JsonNode quote = steady("/quote?sku=" + wish.get("sku").textValue() + "&quantity=" + quantity);
        tally.effect(Effect.PRICES, 1);
        ObjectNode wanted = wanted(Map.of(product, quantity));
        wanted.set("quotedCents", quote.get("total"));
        HttpReply reply = visit.post(Set.of(201, QUOTE_BROKEN), "/orders", wanted);
        if (reply.status() == QUOTE_BROKEN) {
            tally.effect(Effect.STOCK_UPDATES, 1);
            tally.effect(Effect.BROKEN_QUOTES, 1);
        } else {
            placed(Visit.json(reply), Map.of(product, quantity));
        }
    }

    private void placed(JsonNode order, Map<Integer, Integer> lines) throws Wrong {
        long cents = 0;
        for (JsonNode line : order.get("lines")) {
            cents += line.get("totalCents").longValue();
        }
        check(order.get("totalCents").longValue() == cents, "the lines don't add up: " + order);
        orders.add(order);
        tally.effect(Effect.ORDERS, 1);
        tally.effect(Effect.ORDER_LINES, lines.size());
        tally.effect(Effect.STOCK_UPDATES, lines.size());
        tally.effect(Effect.ORDER_CENTS, cents);
        tally.effect(
                Effect.PIECES,
                lines.values().stream().mapToLong(Integer::longValue).sum());
    }

    private void tooMuch() throws IOException, Wrong {
        visit.post(409, "/orders", wanted(Map.of(product(), 1_000_000)));
        tally.effect(Effect.STOCK_UPDATES, 1);
    }

    private static ObjectNode wanted(Map<Integer, Integer> quantities) {
        ArrayNode lines = JSON.arrayNode();
        quantities.forEach((product, quantity) ->
                lines.addObject().put("productId", product).put("quantity", quantity));
        ObjectNode wanted = JSON.objectNode();
        wanted.set("lines", lines);
        return wanted;
    }

    private void orderDetail() throws IOException, Wrong {
        JsonNode order = orders.get(random.nextInt(orders.size()));
        JsonNode answered = Visit.json(visit.get(200, "/orders/" + order.get("id")));
        check(answered.equals(order), "the order changed: " + answered + " (expected: " + order + ")");
    }

    private void orderList() throws IOException, Wrong {
        JsonNode list = Visit.json(visit.get(200, "/orders"));
        check(list.size() == Math.min(orders.size(), ORDER_LIST), "orders: " + list.size() + " of " + orders.size());
        for (int i = 0; i < list.size(); i++) {
            JsonNode own = orders.get(orders.size() - 1 - i);
            check(list.get(i).get("id").equals(own.get("id")), "order " + own + " isn't in its place: " + list);
        }
    }

    private void quote() throws IOException, Wrong {
        String sku = recent.isEmpty() ? "PR-001" : recent.getFirst();
        String currency = CURRENCIES.get(random.nextInt(CURRENCIES.size()));
        steady("/quote?sku=" + sku + "&quantity=" + quantity() + "&currency=" + currency);
        tally.effect(Effect.PRICES, 1);
    }

    private void revenue() throws IOException, Wrong {
        JsonNode report = Visit.json(visit.get(200, "/reports/revenue?category=" + category()));
        check(report.hasNonNull("generatedAt"), "the report has no time: " + report);
    }

    private void attach() throws IOException, Wrong {
        byte[] content = new byte[200_000 + random.nextInt(1_300_000)];
        random.nextBytes(content);
        long order = orders.get(random.nextInt(orders.size())).get("id").longValue();
        String target = "/orders/" + order + "/attachments?name=plan-" + attachments.size() + ".bin";
        JsonNode answered = Visit.json(visit.post(201, target, content));
        String hash = sha256(content);
        check(
                answered.get("sha256").textValue().equals(hash),
                "another hash: " + answered + " (expected: " + hash + ")");
        attachments.put(answered.get("id").longValue(), hash);
        tally.effect(Effect.ATTACHMENTS, 1);
        tally.effect(Effect.ATTACHMENT_BYTES, content.length);
    }

    private void attachment() throws IOException, Wrong {
        List<Long> ids = List.copyOf(attachments.keySet());
        long id = ids.get(random.nextInt(ids.size()));
        byte[] content = visit.get(200, "/attachments/" + id).body();
        check(sha256(content).equals(attachments.get(id)), "attachment " + id + " came back changed");
    }

    /** Asks for something that everybody must always be answered alike. */
    private JsonNode steady(String target) throws IOException, Wrong {
        HttpReply reply = visit.get(200, target);
        check(memory.agrees(target, reply.body()), target + " was answered in two ways");
        return reply.header("content-type").startsWith("application/json") ? Visit.json(reply) : JSON.nullNode();
    }

    private static void check(boolean right, String otherwise) throws Wrong {
        if (!right) {
            throw new Wrong(otherwise);
        }
    }

    private int product() {
        return 1 + random.nextInt(PRODUCTS);
    }

    /** Mostly a few pieces, sometimes enough for a discount. */
    private int quantity() {
        return random.nextInt(5) == 0 ? 10 + random.nextInt(120) : 1 + random.nextInt(5);
    }

    private String category() {
        return CATEGORIES.get(random.nextInt(CATEGORIES.size()));
    }

    private static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
