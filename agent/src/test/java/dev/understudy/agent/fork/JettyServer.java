package dev.understudy.agent.fork;

import jakarta.servlet.DispatcherType;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

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
        Server server = new Server(new InetSocketAddress("127.0.0.1", 0));
        server.setHandler(application);
        server.start();
        System.out.println("port " + ((ServerConnector) server.getConnectors()[0]).getLocalPort());
    }
}
