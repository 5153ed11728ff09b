import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONException;
import com.alibaba.fastjson2.JSONObject;
import com.alibaba.fastjson2.schema.JSONSchema;
import com.alibaba.fastjson2.schema.ValidateResult;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;

/** Takes what weather stations measured: rows of a day, a sort and as many values as the station likes. */
public final class Server {
    private static final JSONSchema ROW = JSONSchema.parseSchema("""
            {"type": "array", "minItems": 3,
             "items": [{"type": "integer", "minimum": 1, "maximum": 366}, {"enum": ["rain", "wind", "heat"]}],
             "additionalItems": {"type": "number"}}""");
    private static final JSONSchema STATION = JSONSchema.parseSchema("""
            {"type": "object", "required": ["name", "height"],
             "properties": {"name": {"type": "string", "minLength": 2}, "height": {"type": "number"}}}""");
    private static final Map<String, Reading> LAST = new ConcurrentSkipListMap<>();
    private static final Map<String, Station> STATIONS = new ConcurrentSkipListMap<>();

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])), 0);
        server.setExecutor(Executors.newFixedThreadPool(6));
        server.createContext("/readings", exchange -> answer(exchange, Server::reading));
        server.createContext("/batches", exchange -> answer(exchange, Server::batch));
        server.createContext("/stations/", exchange -> answer(exchange, Server::station));
        server.createContext("/last/", exchange -> answer(exchange, Server::lastOf));
        server.start();
    }

    private static Object reading(HttpExchange exchange, String body) {
        Reading reading = JSON.parseObject(body, Reading.class);
        refuse(ROW.validate(reading.row));
        double mean = mean(reading.row);
        LAST.put(reading.station, reading);
        return JSONObject.of("station", reading.station, "mean", mean);
    }

    private static Object batch(HttpExchange exchange, String body) {
        JSONArray means = new JSONArray();
        for (Object each : JSON.parseArray(body)) {
            refuse(ROW.validate(each));
            means.add(mean(((JSONArray) each).toArray()));
        }
        return means;
    }

    private static Object station(HttpExchange exchange, String body) {
        String id = last(exchange);
        if (exchange.getRequestMethod().equals("GET")) {
            return STATIONS.get(id);
        }
        JSONObject told = JSON.parseObject(body);
        refuse(STATION.validate(told));
        Station station = told.to(Station.class);
        STATIONS.put(id, station);
        return station;
    }

    private static Object lastOf(HttpExchange exchange, String body) {
        return LAST.get(last(exchange));
    }

    private static double mean(Object[] row) {
        double sum = 0;
        for (int i = 2; i < row.length; i++) {
            sum += ((Number) row[i]).doubleValue();
        }
        return sum / (row.length - 2);
    }

    private static void refuse(ValidateResult result) {
        if (!result.isSuccess()) {
            throw new JSONException(result.getMessage());
        }
    }

    private static String last(HttpExchange exchange) {
        String path = exchange.getRequestURI().getPath();
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static void answer(HttpExchange exchange, Question question) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        try {
            Object said = question.of(exchange, body);
            reply(exchange, said == null ? 404 : 200, said == null ? JSONObject.of() : said);
        } catch (JSONException problem) {
            reply(exchange, 400, JSONObject.of("problem", problem.getMessage()));
        } catch (RuntimeException problem) {
            reply(exchange, 500, JSONObject.of("problem", String.valueOf(problem.getMessage())));
        }
    }

    private static void reply(HttpExchange exchange, int status, Object value) throws IOException {
        byte[] body = JSON.toJSONBytes(value);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** What is asked. */
    private interface Question {
        Object of(HttpExchange exchange, String body);
    }

    /** What a station measured. */
    public static final class Reading {
        public String station = "";
        public Object[] row = {};
    }

    /** Where something is measured. */
    public static final class Station {
        public String name = "";
        public double height;
    }
}
