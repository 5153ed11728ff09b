package dev.understudy.agent.fork;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import javax.servlet.AsyncContext;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.ee8.servlet.ServletContextHandler;
import org.eclipse.jetty.ee8.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A servlet from before the packages were renamed, on Jetty in a forked JVM. */
public final class JavaxServer {
    private JavaxServer() {}

    public static void main(String[] arguments) throws Exception {
        ServletContextHandler application = new ServletContextHandler();
        application.setContextPath("/");
        ServletHolder prices = new ServletHolder(new Prices());
        prices.setAsyncSupported(true);
        application.addServlet(prices, "/*");
        Server server = new Server(new InetSocketAddress("127.0.0.1", 0));
        server.setHandler(application);
        server.start();
        System.out.println("port " + ((ServerConnector) server.getConnectors()[0]).getLocalPort());
    }

    /** Answers at once, or in a task of the container's. */
    static final class Prices extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getRequestURI().equals("/3")) {
                response.getWriter().print("price " + SmallServer.price(3));
                return;
            }
            AsyncContext later = request.startAsync();
            if (request.getRequestURI().equals("/later/fail")) {
                // that a task has thrown, the container keeps to itself; a time-out that is over while it is set, Jetty
                // loses
                later.setTimeout(100);
                later.start(() -> {
                    throw new UnsupportedOperationException("later");
                });
            } else {
                later.start(() -> complete(later));
            }
        }

        static void complete(AsyncContext later) {
            try {
                later.getResponse().getWriter().print("later");
            } catch (IOException gone) {
                throw new UncheckedIOException(gone);
            }
            later.complete();
        }
    }
}
