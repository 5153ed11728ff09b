package dev.understudy.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A service of the tests: prices, at the rate that its upstream gives. Its other build has a defect at each path but
 * the first: {@code /right}, {@code /wrong}, {@code /other-call}, {@code /behind}.
 */
final class ShopService {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    /** A connection is kept until the next request, as a pool keeps it. */
    private static final AtomicReference<Socket> POOL = new AtomicReference<>();

    private ShopService() {}

    /**
     * The build, the rates' address, the rates' own address, which a proper service would not know, and perhaps a port.
     */
    public static void main(String[] arguments) throws IOException {
        boolean patched = arguments[0].equals("patched");
        int port = arguments.length < 4 ? 0 : Integer.parseInt(arguments[3]);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/", request -> {
            byte[] body;
            try {
                body = answer(request, patched ? request.getRequestURI().getPath() : "/right", arguments)
                        .getBytes(StandardCharsets.UTF_8);
            } catch (Exception failed) {
                body = failed.toString().getBytes(StandardCharsets.UTF_8);
            }
            request.getResponseHeaders().set("Content-Type", "application/json");
            request.sendResponseHeaders(200, body.length);
            request.getResponseBody().write(body);
            request.close();
        });
        server.start();
        System.out.println(
                "shop, " + arguments[0] + " build, port " + server.getAddress().getPort());
    }

    private static String answer(HttpExchange request, String defect, String[] arguments) throws Exception {
        String rate = call(request, arguments[1], defect.equals("/other-call") ? "/rates/usd" : "/rates/eur");
        Socket before = POOL.getAndSet(defect.equals("/behind") ? connect(arguments[2]) : null);
        if (before != null) {
            before.close();
        }
        int total = defect.equals("/wrong") ? 120 : 119;
        return "{\"items\": [{\"sku\": 7, \"total\": " + total + "}], \"rate\": " + rate + "}";
    }

    private static Socket connect(String address) throws IOException {
        int colon = address.lastIndexOf(':');
        return new Socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    }

    private static String call(HttpExchange request, String address, String path) throws Exception {
        HttpRequest.Builder call = HttpRequest.newBuilder(URI.create("http://" + address + path));
        String trace = request.getRequestHeaders().getFirst("traceparent");
        if (trace != null) {
            call.header("traceparent", trace);
        }
        return CLIENT.send(call.build(), BodyHandlers.ofString()).body();
    }
}
