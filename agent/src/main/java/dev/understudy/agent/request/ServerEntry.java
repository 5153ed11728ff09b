package dev.understudy.agent.request;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A method through which a server's thread enters the work on one HTTP request.
 *
 * <p>Entries may enclose each other: the innermost ones of the same exchange do nothing.
 */
final class ServerEntry {
    private static final List<ServerEntry> ALL = List.of(
            new ServerEntry(
                    "enter",
                    "com/sun/net/httpserver/Filter$Chain",
                    "doFilter",
                    "(Lcom/sun/net/httpserver/HttpExchange;)V",
                    "com.sun.net.httpserver.HttpExchange",
                    "getRequestHeaders.getFirst"),
            new ServerEntry(
                    "tell",
                    "io/netty/channel/AbstractChannelHandlerContext",
                    "fireChannelRead",
                    "(Ljava/lang/Object;)Lio/netty/channel/ChannelHandlerContext;",
                    "io.netty.handler.codec.http.HttpRequest",
                    "headers.get"),
            new ServerEntry(
                    "tell",
                    "io/undertow/server/Connectors",
                    "executeRootHandler", // static
                    "(Lio/undertow/server/HttpHandler;Lio/undertow/server/HttpServerExchange;)V",
                    "io.undertow.server.HttpServerExchange",
                    "getRequestHeaders.getFirst"),
            servlet("jakarta", "jakarta/servlet/http/HttpServlet", "service"),
            servlet("javax", "javax/servlet/http/HttpServlet", "service"),
            servlet("jakarta", "org/apache/catalina/core/ApplicationFilterChain", "doFilter"),
            servlet("javax", "org/apache/catalina/core/ApplicationFilterChain", "doFilter"));

    /** {@code enter} if the method works on the request, {@code tell} if it hands it on. */
    final String does;
    /** The declaring class, with slashes. */
    final String className;

    final String method;
    /** The method's descriptor; in slot 1 is the request. */
    final String descriptor;
    /** The request's type when it is an HTTP request, with dots. */
    final String request;
    /** The getters from the request to a header by name, separated by dots. */
    final String getters;

    private ServerEntry(
            String does, String className, String method, String descriptor, String request, String getters) {
        this.does = does;
        this.className = className;
        this.method = method;
        this.descriptor = descriptor;
        this.request = request;
        this.getters = getters;
    }

    /**
     * The entries of a class, named with slashes; of one whose packages all were put below others, as is done to a
     * library within a jar that brings all it needs, those of the original.
     */
    static List<ServerEntry> of(String name) {
        List<ServerEntry> entries = new ArrayList<>();
        for (ServerEntry entry : ALL) {
            if (name.endsWith(entry.className)) {
                int prefix = name.length() - entry.className.length();
                if (prefix == 0) {
                    entries.add(entry);
                } else if (name.charAt(prefix - 1) == '/') {
                    entries.add(entry.below(name.substring(0, prefix)));
                }
            }
        }
        return entries;
    }

    /** The declaring classes, with slashes. */
    static Set<String> classes() {
        Set<String> classes = new HashSet<>();
        for (ServerEntry entry : ALL) {
            classes.add(entry.className);
        }
        return classes;
    }

    private ServerEntry below(String prefix) {
        return new ServerEntry(
                does,
                prefix + className,
                method,
                descriptor.replace("L" + house(), "L" + prefix + house()),
                prefix.replace('/', '.') + request,
                getters);
    }

    /** The first package of the server's own types. */
    private String house() {
        return request.substring(0, request.indexOf('.')) + '/';
    }

    private static ServerEntry servlet(String house, String className, String method) {
        return new ServerEntry(
                "enter",
                className,
                method,
                "(L" + house + "/servlet/ServletRequest;L" + house + "/servlet/ServletResponse;)V",
                house + ".servlet.http.HttpServletRequest",
                "getHeader");
    }
}
