package dev.understudy.agent.fork;

import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import jakarta.servlet.DispatcherType;
import java.net.InetSocketAddress;

/** The application in a forked JVM on Undertow: {@link PriceServlets}, and a handler without servlets. */
public final class UndertowServer {
    private UndertowServer() {}

    public static void main(String[] arguments) throws Exception {
        DeploymentInfo application = Servlets.deployment()
                .setClassLoader(UndertowServer.class.getClassLoader())
                .setContextPath("/")
                .setDeploymentName("prices")
                .addFilter(Servlets.filter("gate", PriceServlets.Gate.class).setAsyncSupported(true))
                .addFilterUrlMapping("gate", "/*", DispatcherType.REQUEST)
                .addServlets(
                        Servlets.servlet("prices", PriceServlets.Prices.class).addMapping("/*"),
                        Servlets.servlet("later", PriceServlets.Later.class)
                                .addMapping("/later/*")
                                .setAsyncSupported(true));
        DeploymentManager manager = Servlets.defaultContainer().addDeployment(application);
        manager.deploy();
        HttpHandler handlers = Handlers.path(manager.start()).addExactPath("/plain", UndertowServer::plain);
        Undertow server = Undertow.builder()
                .addHttpListener(0, "127.0.0.1")
                .setHandler(handlers)
                .build();
        server.start();
        InetSocketAddress address =
                (InetSocketAddress) server.getListenerInfo().get(0).getAddress();
        System.out.println("port " + address.getPort());
    }

    /** Goes on to a worker, as whatever may block has to. */
    static void plain(HttpServerExchange exchange) {
        if (exchange.isInIoThread()) {
            exchange.dispatch(UndertowServer::plain);
            return;
        }
        exchange.getResponseSender().send("price " + SmallServer.price(3));
    }
}
