package dev.understudy.agent.fork;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The application in a forked JVM: an HTTP server that says what classes of other compilers told, each path one of
 * them.
 */
public final class ErrandServer {
    private static final Map<String, Method> ERRANDS = new HashMap<>();

    private ErrandServer() {}

    /**
     * The arguments are paths, each with its class and where that is found and what it needs:
     * {@code /path=class=folder:jar}.
     */
    public static void main(String[] arguments) throws Exception {
        for (String argument : arguments) {
            String[] parts = argument.split("=", 3);
            ERRANDS.put(parts[0], loader(parts[2]).loadClass(parts[1]).getMethod("told"));
        }
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", ErrandServer::handle);
        server.start();
        System.out.println("port " + server.getAddress().getPort());
    }

    static URLClassLoader loader(String classPath) throws IOException {
        String[] entries = classPath.split(File.pathSeparator, -1);
        URL[] found = new URL[entries.length];
        for (int i = 0; i < found.length; i++) {
            found[i] = Path.of(entries[i]).toUri().toURL();
        }
        return new URLClassLoader(found);
    }

    static String told(Method errand) throws ReflectiveOperationException {
        return String.join("\n", (String[]) errand.invoke(null));
    }

    private static void handle(HttpExchange exchange) throws IOException {
        byte[] body;
        try {
            Method errand =
                    Objects.requireNonNull(ERRANDS.get(exchange.getRequestURI().getPath()));
            body = told(errand).getBytes(StandardCharsets.UTF_8);
        } catch (ReflectiveOperationException problem) {
            throw new IOException(problem);
        }
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
