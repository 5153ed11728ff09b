package dev.understudy.agent.fork;

import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

/** {@link PriceServlets} in a forked JVM on Jetty. */
public final class JettyServer {
    private JettyServer() {}

    public static void main(String[] arguments) throws Exception {
        ServletContextHandler application = new ServletContextHandler("/");
        FilterHolder gate = new FilterHolder(new PriceServlets.Gate());
        gate.setAsyncSupported(true);
        application.addFilter(gate, "/*", EnumSet.of(DispatcherType.REQUEST));
        application.addServlet(new ServletHolder(new PriceServlets.Prices()), "/*");
        ServletHolder later = new ServletHolder(new PriceServlets.Later());
        later.setAsyncSupported(true);
        application.addServlet(later, "/later/*");
        application.addServlet(new ServletHolder(new PriceServlets.Meetings()), "/meet/*");
        Server server = new Server(Boolean.getBoolean("virtual") ? new VirtualThreadPool() : new QueuedThreadPool());
        HttpConfiguration http = new HttpConfiguration();
        ServerConnector connector = new ServerConnector(server, factories(http));
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(application);
        server.start();
        System.out.println("port " + connector.getLocalPort());
    }

    private static ConnectionFactory[] factories(HttpConfiguration http) {
        HttpConnectionFactory plain = new HttpConnectionFactory(http);
        return Boolean.getBoolean("h2c")
                ? new ConnectionFactory[] {plain, new HTTP2CServerConnectionFactory(http)}
                : new ConnectionFactory[] {plain};
    }
}
