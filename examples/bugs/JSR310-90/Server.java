import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/** A calendar, told of and read as JSON. */
public final class Server {
    private static final ObjectMapper JSON = new ObjectMapper().registerModule(new JavaTimeModule());
    private static final Map<Integer, Appointment> CALENDAR = new ConcurrentHashMap<>();

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])), 0);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.createContext("/appointments/", Server::appointment);
        server.createContext("/days/", exchange -> reply(exchange, 200, onDay(last(exchange))));
        server.start();
    }

    private static void appointment(HttpExchange exchange) throws IOException {
        int number = last(exchange);
        if (exchange.getRequestMethod().equals("PUT")) {
            try {
                Appointment told = JSON.readValue(exchange.getRequestBody(), Appointment.class);
                CALENDAR.put(number, told);
                reply(exchange, 200, Map.of("ends", ends(told)));
            } catch (JsonProcessingException problem) {
                reply(exchange, 400, Map.of("problem", problem.getOriginalMessage()));
            }
        } else {
            Appointment known = CALENDAR.get(number);
            reply(exchange, known == null ? 404 : 200, known == null ? Map.of() : known);
        }
    }

    private static Instant ends(Appointment appointment) {
        return appointment.begins.plus(appointment.lasts);
    }

    private static List<String> onDay(int day) {
        List<String> names = new ArrayList<>();
        for (Appointment each : CALENDAR.values()) {
            if (each.begins.getEpochSecond() / 86_400 % 31 == day) {
                names.add(each.name);
            }
        }
        return names;
    }

    private static int last(HttpExchange exchange) {
        String path = exchange.getRequestURI().getPath();
        return Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
    }

    private static void reply(HttpExchange exchange, int status, Object value) throws IOException {
        byte[] body = JSON.writeValueAsBytes(value);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** What is in the calendar. */
    public static final class Appointment {
        public String name = "";
        public Instant begins = Instant.EPOCH;
        public Duration lasts = Duration.ZERO;
        public List<String> guests = new ArrayList<>();
    }
}
